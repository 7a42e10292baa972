type ProblemBody = { title?: string; detail?: unknown; code?: string; instance?: string }

/** What the server, or the way to it, said instead of an answer. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly instance: string
  /** When the server lets the next request through; 0 when it did not say. */
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

  /** The server was busy and did nothing: whatever was asked may be asked again, a change too. */
  get isOverload(): boolean {
    return this.status === 503 && this.retryAfterSeconds > 0
  }

  /** What the server refuses it will refuse again; one that was not reached, or said when to come again, may not. */
  get isWorthAnotherTry(): boolean {
    return this.status === 0 || this.status >= 502 || (this.status === 429 && this.retryAfterSeconds > 0)
  }
}

/** `there is no case 7` as a sentence among others. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?:]$/.test(trimmed) ? '' : '.')
}

/** The sentence of an `application/problem+json` body, whatever else the body is. */
export function problemFrom(body: unknown, status: number, retryAfterSeconds = 0): Problem {
  const { title, detail, code, instance } = (typeof body === 'object' && body ? body : {}) as ProblemBody
  const sentence = typeof detail === 'string' && detail ? detail : title || `The server answered ${status} without a reason.`
  return new Problem(asSentence(sentence), status, code ?? String(status), instance, retryAfterSeconds)
}

/** The network failed before the server could say anything. */
export function unreachable(): Problem {
  return new Problem('The Casebook server does not answer. What is on the page stays; check the connection and try again.', 0, 'Unreachable')
}
