import './styles/index.css'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { gatherAnswers, Problem, retryDelayMs, shouldRetryMutation, shouldRetryQuery } from './api'
import { router } from './router'
import { followColorScheme, ToastProvider } from './ui'

/** Redirect to the sign-in page on a 401 response; signing in returns to the current view. */
function redirectToSignIn(error: unknown): void {
  if (!(error instanceof Problem) || !error.isNotSignedIn || window.location.pathname === '/sign-in') return
  void router.navigate({ to: '/sign-in', search: { next: window.location.pathname + window.location.search + window.location.hash } })
}

const cache = new QueryClient({
  queryCache: new QueryCache({ onError: redirectToSignIn }),
  mutationCache: new MutationCache({ onError: redirectToSignIn }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: shouldRetryQuery,
      retryDelay: retryDelayMs,
    },
    mutations: { retry: shouldRetryMutation, retryDelay: retryDelayMs },
  },
})

followColorScheme()
gatherAnswers()
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <QueryClientProvider client={cache}>
      <ToastProvider>
        <RouterProvider router={router} />
      </ToastProvider>
    </QueryClientProvider>,
  )
}
