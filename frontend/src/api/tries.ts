import type { DetailedError } from 'tus-js-client'
import { type Problem, problemFrom, unreachable } from './problem'

/** A server that is away is tried again for about half an hour; after that, or sooner, somebody presses a button. */
export const RETRY_DELAYS_MS = [300, 1_000, 2_000, ...Array.from({ length: 600 }, () => 3_000)]

/** 409 is a server that stands elsewhere than thought: it is asked where, and sent the rest. */
const PASSING = new Set([0, 408, 409, 429, 500, 502, 503, 504])

/** Whether the same may go well in a moment. Not so 423: another tab sends, and both would throw each other out. */
export function isPassing(error: DetailedError): boolean {
  return PASSING.has(error.originalResponse?.getStatus() ?? 0)
}

/** What the server said when it refused bytes, or that it could not be reached. */
export function problemOf(error: Error): Problem {
  const response = (error as Partial<DetailedError>).originalResponse
  if (!response) return unreachable()
  try {
    return problemFrom(JSON.parse(response.getBody()), response.getStatus())
  } catch {
    return problemFrom({}, response.getStatus())
  }
}
