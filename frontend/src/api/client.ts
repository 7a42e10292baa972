import createClient from 'openapi-fetch'
import { type Problem, problemFrom, unreachable } from './problem'
import type { paths } from './schema.gen'

export const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

/** What a list is asked for: the rows of one page, and where it begins. */
export type PageQuery = { limit: number; cursor?: string }
/** One page of a list, and the cursor of the next. */
export type ListPage<T> = { told: T; next: string | undefined }

/** Rows of one page, of lists that are needed whole. */
const ROWS = 500

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

/** One page of a list; the `Link` of its answer says where the next begins. */
export async function takePage<T>(answer: Promise<Answer<T>>): Promise<ListPage<T>> {
  const told = await take(answer)
  const link = (await answer).response.headers.get('Link')?.match(/<([^>]*)>; rel="next"/)?.[1]
  return { told, next: link ? (new URL(link, 'http://casebook').searchParams.get('cursor') ?? undefined) : undefined }
}

/** All pages of a list, one after the other. */
export async function takePages<T>(ask: (query: PageQuery) => Promise<Answer<T>>): Promise<T[]> {
  const pages: T[] = []
  let cursor: string | undefined
  do {
    const { told, next } = await takePage(ask({ limit: ROWS, ...(cursor && { cursor }) }))
    pages.push(told)
    cursor = next
  } while (cursor)
  return pages
}

/** All rows of a list. */
export async function takeAll<T>(ask: (query: PageQuery) => Promise<Answer<T[]>>): Promise<T[]> {
  return (await takePages(ask)).flat()
}
