import createClient from 'openapi-fetch'
import { type Problem, problemFrom, unreachable } from './problem'
import type { paths } from './schema.gen'

export const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

type Answer<T> = { data?: T; error?: unknown; response: Response }

/** The body of an answer, or the `Problem` that came instead of it. */
export async function take<T>(answer: Promise<Answer<T>>): Promise<T> {
  let settled: Answer<T>
  try {
    settled = await answer
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable()
  }
  if (!settled.response.ok) throw problemFrom(settled.error, settled.response.status, Number(settled.response.headers.get('Retry-After'))) as Problem
  return settled.data as T
}
