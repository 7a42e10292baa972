import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { client, take, takePage } from './client'
import { keys } from './keys'
import type { LibraryAsk } from './types'

/** What answers words or a paste, best first; the last answers stay while the next are asked for. */
export function useLibrary(ask: LibraryAsk) {
  return useInfiniteQuery({
    queryKey: keys.library(ask),
    queryFn: ({ signal, pageParam: cursor }) => takePage(client.POST('/api/v1/library/search', { params: { query: { limit: 50, ...(cursor && { cursor }) } }, body: ask, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

/** What can be drawn of a folder of evidence that a signature brings. */
export function useExhibits(area: string, name: string, proof: string | undefined) {
  return useQuery({
    queryKey: keys.exhibits(`${area}/${name}`, proof ?? ''),
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}/evidence/{proof}', { params: { path: { area, name, proof: proof ?? '' } } })),
    enabled: proof !== undefined,
    staleTime: 300_000,
  })
}
