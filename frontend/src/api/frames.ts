import { useInfiniteQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

/** Cases whose profiles contain a function, by descending share. */
export function useCasesWithFrame(name: string) {
  return useInfiniteQuery({
    queryKey: keys.casesWithFrame(name),
    queryFn: ({ signal, pageParam: cursor }) => take(client.GET('/api/v1/frames/cases', { params: { query: { name, ...(cursor && { cursor }) } }, signal })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    enabled: name !== '',
  })
}

/** A draft `signature.yaml` that matches one stack of a profile. */
export function draftSignature(profileId: string, node: number): Promise<string> {
  return take(client.GET('/api/v1/profiles/{profile_id}/nodes/{node}/signature.yaml', { params: { path: { profile_id: profileId, node } }, parseAs: 'text' })) as Promise<string>
}
