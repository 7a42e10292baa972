type ProblemBody = { title?: string; detail?: unknown; code?: string; instance?: string }

/** An error response of the server (RFC 9457), or a network failure (status 0). */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly instance: string
  /** Seconds from `Retry-After`; 0 without the header. */
  readonly retryAfterSeconds: number

  constructor(message: string, status: number, code: string, instance = '', retryAfterSeconds = 0) {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.instance = instance
    this.retryAfterSeconds = retryAfterSeconds
  }

  get isNotSignedIn(): boolean {
    return this.status === 401
  }

  /** The server rejected the request under load; it is safe to retry, including changes. */
  get isOverload(): boolean {
    return this.status === 503 && this.retryAfterSeconds > 0
  }

  /** Whether the same request may succeed later: network failure, gateway error, or rate limit with `Retry-After`. */
  get isRetryable(): boolean {
    return this.status === 0 || this.status >= 502 || (this.status === 429 && this.retryAfterSeconds > 0)
  }
}

/** Capitalise and end with a full stop: `there is no case 7` → `There is no case 7.` */
export function toSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?:]$/.test(trimmed) ? '' : '.')
}

/** The `Problem` of an `application/problem+json` body; other bodies yield a generic message. */
export function problemFrom(body: unknown, status: number, retryAfterSeconds = 0): Problem {
  const { title, detail, code, instance } = (typeof body === 'object' && body ? body : {}) as ProblemBody
  const sentence = typeof detail === 'string' && detail ? detail : title || `The server responded with status ${status} and no details.`
  return new Problem(toSentence(sentence), status, code ?? String(status), instance, retryAfterSeconds)
}

/** The `Problem` of a network failure. */
export function unreachable(): Problem {
  return new Problem('The server does not respond. Check the connection and try again.', 0, 'Unreachable')
}
