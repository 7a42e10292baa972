import createClient from 'openapi-fetch'
import { type Problem, problemFrom, unreachable } from './problem'
import type { paths } from './schema.gen'

export const client = createClient<paths>({ baseUrl: '/', credentials: 'same-origin' })

/** Pagination parameters of a list request. */
export type PageQuery = { limit: number; cursor?: string }
/** Response body of one page, and the cursor of the next page. */
export type ListPage<T> = { body: T; next: string | undefined }

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

/** One page of a list, with the cursor from its `Link` header. */
export async function takePage<T>(request: Promise<ApiResponse<T>>): Promise<ListPage<T>> {
  const body = await take(request)
  const link = (await request).response.headers.get('Link')?.match(/<([^>]*)>; rel="next"/)?.[1]
  return { body, next: link ? (new URL(link, 'http://casebook').searchParams.get('cursor') ?? undefined) : undefined }
}

/** Bodies of all pages of a list, fetched in sequence. */
export async function takePages<T>(fetchPage: (query: PageQuery) => Promise<ApiResponse<T>>): Promise<T[]> {
  const pages: T[] = []
  let cursor: string | undefined
  do {
    const { body, next } = await takePage(fetchPage({ limit: PAGE_ROWS, ...(cursor && { cursor }) }))
    pages.push(body)
    cursor = next
  } while (cursor)
  return pages
}

/** All rows of a list. */
export async function takeAll<T>(fetchPage: (query: PageQuery) => Promise<ApiResponse<T[]>>): Promise<T[]> {
  return (await takePages(fetchPage)).flat()
}
