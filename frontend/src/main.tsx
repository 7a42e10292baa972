import '@mantine/core/styles/baseline.css'
import '@mantine/core/styles/default-css-variables.css'
import '@mantine/core/styles/global.css'
import './styles/index.css'
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import { Problem, retryDelayMs, shouldRetryMutation, shouldRetryQuery } from './api'
import { router } from './router'
import { theme } from './styles/theme'
import { ToastProvider } from './ui'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
const colours = localStorageColorSchemeManager({ key: 'casebook-color-scheme' })

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

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <MantineProvider theme={theme} defaultColorScheme="auto" colorSchemeManager={colours} getStyleNonce={() => nonce}>
      <QueryClientProvider client={cache}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </QueryClientProvider>
    </MantineProvider>,
  )
}
