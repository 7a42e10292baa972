import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Problem, retryDelayMs, shouldRetryQuery } from '../../api'
import { RateLimitBanner } from './RateLimitBanner'

it('says why an answer waits and when the page asks again, and is silent once it came', async () => {
  vi.useFakeTimers()
  const cache = new QueryClient({ defaultOptions: { queries: { retry: shouldRetryQuery, retryDelay: retryDelayMs } } })
  const answers = [() => Promise.reject(new Problem('Too many requests of this account.', 429, 'rate-limited', '', 20)), () => Promise.resolve('the case')]
  render(
    <QueryClientProvider client={cache}>
      <RateLimitBanner />
    </QueryClientProvider>,
  )
  const banner = screen.getByTestId('rate-limit-banner')
  const answer = cache.fetchQuery({ queryKey: ['case'], queryFn: () => answers.shift()?.(), retry: shouldRetryQuery })
  await act(() => vi.advanceTimersByTimeAsync(10))
  expect(banner.textContent).toBe('Too many requests of this account. The page asks again within 30 s.')
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(await answer).toBe('the case')
  expect(banner.textContent).toBe('')
  vi.useRealTimers()
})
