import createClient from 'openapi-fetch'
import { type Problem, problemFrom, unreachable } from './problem'
import type { paths } from './schema.gen'

export const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

/** Pagination parameters of a list request. */
export type PageQuery = { limit: number; cursor?: string }
/** One page of a list; the cursor is null on the last. */
export type ListPage<T> = { items: T[]; next_cursor: string | null }

/** Page size when a list is fetched completely. */
const PAGE_ROWS = 500

type ApiResponse<T> = { data?: T; error?: unknown; response: Response }

/**
 * The body of a successful response.
 *
 * @throws Problem on an error status or if the server cannot be reached.
 */
export async function take<T>(request: Promise<ApiResponse<T>>): Promise<T> {
  let result: ApiResponse<T>
  try {
    result = await request
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw unreachable()
  }
  if (!result.response.ok) throw problemFrom(result.error, result.response.status, Number(result.response.headers.get('Retry-After'))) as Problem
  return result.data as T
}

/** The items of a list that has one page. */
export async function takeWhole<T>(request: Promise<ApiResponse<ListPage<T>>>): Promise<T[]> {
  return (await take(request)).items
}

/** All pages of a list, fetched in sequence. */
export async function takePages<P extends ListPage<unknown>>(fetchPage: (query: PageQuery) => Promise<ApiResponse<P>>): Promise<P[]> {
  const pages: P[] = []
  let cursor: string | null = null
  do {
    const page: P = await take(fetchPage({ limit: PAGE_ROWS, ...(cursor && { cursor }) }))
    pages.push(page)
    cursor = page.next_cursor
  } while (cursor)
  return pages
}

/** All items of a list. */
export async function takeAll<T>(fetchPage: (query: PageQuery) => Promise<ApiResponse<ListPage<T>>>): Promise<T[]> {
  return (await takePages(fetchPage)).flatMap(({ items }) => items)
}
