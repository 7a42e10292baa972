import { afterEach, expect, it, vi } from 'vitest'
import { importWithRetry } from './importing'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('repeats a failed import', async () => {
  vi.useFakeTimers()
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('cut')).mockResolvedValue('page')
  const page = importWithRetry(load)
  await vi.advanceTimersByTimeAsync(600)
  await expect(page).resolves.toBe('page')
})

it('waits without a connection, and imports once it is back', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('offline')).mockResolvedValue('page')
  const page = importWithRetry(load)
  await Promise.resolve()
  await Promise.resolve()
  expect(load).toHaveBeenCalledTimes(1)
  window.dispatchEvent(new Event('online'))
  await expect(page).resolves.toBe('page')
})

it('reports an import that keeps failing', async () => {
  vi.useFakeTimers()
  const page = importWithRetry(() => Promise.reject(new Error('gone'))).catch((error: Error) => error.message)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect(page).resolves.toBe('gone')
})
