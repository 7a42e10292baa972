import type { DetailedError } from 'tus-js-client'
import { type Problem, problemFrom, unreachable } from './problem'

/** Retries last about half an hour; after that the upload must be resumed manually. */
export const RETRY_DELAYS_MS = [300, 1_000, 2_000, ...Array.from({ length: 600 }, () => 3_000)]

/** On 409 (offset mismatch) the client queries the offset and resumes. */
const TRANSIENT_STATUSES = new Set([0, 408, 409, 429, 500, 502, 503, 504])

/** Whether a retry may succeed. Excludes 423: another client holds the lock, and both would interrupt each other. */
export function isTransient(error: DetailedError): boolean {
  return TRANSIENT_STATUSES.has(error.originalResponse?.getStatus() ?? 0)
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
