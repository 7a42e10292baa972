import type { DetailedError } from 'tus-js-client'
import { type Problem, problemFrom, unreachable } from './problem'

const LAST_DELAY_MS = 3_000
/** Retries last about half an hour; after that the upload must be resumed manually. */
export const RETRY_DELAYS_MS = [300, 1_000, 2_000, ...Array.from({ length: 600 }, () => LAST_DELAY_MS)]

/** On 409 (offset mismatch) the client queries the offset and resumes. */
const TRANSIENT_STATUSES = new Set([0, 408, 409, 429, 500, 502, 503, 504])

/** Whether a request with this status may succeed later; 0 is a network failure. */
export const isTransientStatus = (status: number): boolean => TRANSIENT_STATUSES.has(status)

/** Wait for the delay of a retry, at least the `Retry-After` of the server, or until the browser is online again. */
export function pauseUntilRetry(attempt: number, retryAfterSeconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      window.removeEventListener('online', done)
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(done, Math.max(RETRY_DELAYS_MS[attempt] ?? LAST_DELAY_MS, retryAfterSeconds * 1_000))
    window.addEventListener('online', done)
  })
}

/** Whether a retry may succeed. Excludes 423: another client holds the lock, and both would interrupt each other. */
export function isTransient(error: DetailedError): boolean {
  return isTransientStatus(error.originalResponse?.getStatus() ?? 0)
}

/** The `Problem` of a failed upload request. */
export function problemOf(error: Error): Problem {
  const response = (error as Partial<DetailedError>).originalResponse
  if (!response) return unreachable()
  try {
    return problemFrom(JSON.parse(response.getBody()), response.getStatus())
  } catch {
    return problemFrom({}, response.getStatus())
  }
}
