import { Problem } from './problem'

const RETRIES = 2
/** A busy server states when to return, and is quick to refuse: waiting for it costs nobody anything. */
const OVERLOAD_RETRIES = 6
/** A page sends its requests together; without jitter they would all return together. */
const JITTER_SHARE = 0.5

/** Whether to repeat a query that failed `count` times before. */
export function repeatsQuery(count: number, error: unknown): boolean {
  return error instanceof Problem && error.isWorthAnotherTry && count < (error.isOverload ? OVERLOAD_RETRIES : RETRIES)
}

/** Whether to repeat a change: only when the server says that it did nothing. */
export function repeatsMutation(count: number, error: unknown): boolean {
  return error instanceof Problem && error.isOverload && count < OVERLOAD_RETRIES
}

/** Milliseconds until the next attempt: what the server asked for, else exponential backoff. */
export function retryDelayMs(count: number, error: unknown, random = Math.random): number {
  const seconds = (error instanceof Problem && error.retryAfterSeconds) || 2 ** count
  return 1000 * seconds * (1 + JITTER_SHARE * random())
}
