type ProblemBody = { title?: string; detail?: unknown; code?: string; instance?: string }

/** What the server, or the way to it, said instead of an answer. */
export class Problem extends Error {
  readonly status: number
  readonly code: string
  readonly instance: string

  constructor(message: string, status: number, code: string, instance = '') {
    super(message)
    this.name = 'Problem'
    this.status = status
    this.code = code
    this.instance = instance
  }

  get isNotSignedIn(): boolean {
    return this.status === 401
  }
}

/** `there is no case 7` as a sentence among others. */
export function asSentence(text: string): string {
  const trimmed = text.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1) + (/[.!?:]$/.test(trimmed) ? '' : '.')
}

/** The sentence of an `application/problem+json` body, whatever else the body is. */
export function problemFrom(body: unknown, status: number): Problem {
  const { title, detail, code, instance } = (typeof body === 'object' && body ? body : {}) as ProblemBody
  const sentence = typeof detail === 'string' && detail ? detail : title || `The server answered ${status} without a reason.`
  return new Problem(asSentence(sentence), status, code ?? String(status), instance)
}

/** The network failed before the server could say anything. */
export function unreachable(): Problem {
  return new Problem('The Casebook server does not answer. What is on the page stays; check the connection and try again.', 0, 'Unreachable')
}
