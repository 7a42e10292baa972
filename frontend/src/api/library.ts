import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { LibraryQuery } from './types'

/** Entries of one request without words: shelves show all. */
const WHOLE = 1000
/** Characters of a line that the service looks at. */
const LONGEST_LINE = 2000

/** Library search by words or paste, best match first. Previous results stay visible while loading. */
export function useLibrary(query: LibraryQuery) {
  return useInfiniteQuery({
    queryKey: keys.library(query),
    queryFn: ({ signal, pageParam: cursor }) => take(client.POST('/api/v1/library/search', { params: { query: { limit: query.text === '' ? WHOLE : 50, ...(cursor && { cursor }) } }, body: query, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** Profiles and histograms of one evidence folder of a signature. */
export function useExhibits(area: string, name: string, fixture: string | undefined) {
  return useQuery({
    queryKey: keys.exhibits(`${area}/${name}`, fixture ?? ''),
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}/evidence/{proof}', { params: { path: { area, name, proof: fixture ?? '' } } })),
    enabled: fixture !== undefined,
    staleTime: 300_000,
  })
}

/** Which source line of the kernel prints a line of a log. */
export function useExplainedLine(line: string | undefined) {
  return useQuery({
    queryKey: keys.explainedLine(line ?? ''),
    queryFn: ({ signal }) => take(client.POST('/api/v1/library/lines', { body: { lines: [(line ?? '').slice(0, LONGEST_LINE)] }, signal })),
    enabled: line !== undefined,
    staleTime: 300_000,
  })
}
