import { Problem } from './problem'

const RETRIES = 2
/** More retries under overload: the server rejects quickly and sends `Retry-After`. */
const OVERLOAD_RETRIES = 6
/** Jitter spreads the retries of requests that a page sends at once. */
const JITTER_SHARE = 0.5

/** Whether to retry a query after `count` failed retries. */
export function shouldRetryQuery(count: number, error: unknown): boolean {
  return error instanceof Problem && error.isRetryable && count < (error.isOverload ? OVERLOAD_RETRIES : RETRIES)
}

/** Whether to retry a mutation: only if the server did not process it. */
export function shouldRetryMutation(count: number, error: unknown): boolean {
  return error instanceof Problem && error.isOverload && count < OVERLOAD_RETRIES
}

/** The longest delay before the next attempt after `Retry-After`, in whole seconds. */
export function mostRetrySeconds({ retryAfterSeconds }: Problem): number {
  return Math.ceil(retryAfterSeconds * (1 + JITTER_SHARE))
}

/** Delay before the next attempt: `Retry-After`, else exponential backoff; plus jitter. */
export function retryDelayMs(count: number, error: unknown, random = Math.random): number {
  const seconds = (error instanceof Problem && error.retryAfterSeconds) || 2 ** count
  return 1000 * seconds * (1 + JITTER_SHARE * random())
}
