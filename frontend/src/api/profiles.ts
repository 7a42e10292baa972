import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import { problemFrom, unreachable } from './problem'

export function useProfiles(caseId: string) {
  return useQuery({
    queryKey: keys.profiles(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/profiles', { params: { path: { case_id: caseId } } })),
  })
}

/** Where one node of the stacks stands in the raw text. */
export function useNodeLines(profileId: string, node: number | null) {
  return useQuery({
    queryKey: ['node-lines', profileId, node],
    queryFn: () =>
      take(client.GET('/api/v1/profiles/{profile_id}/nodes/{node}/lines', { params: { path: { profile_id: profileId, node: node ?? 0 } } })),
    enabled: node !== null,
    staleTime: Infinity,
  })
}

/** The profile in speedscope's own file format, as text: it is handed on unread. */
export function useSpeedscopeText(profileId: string) {
  return useQuery({
    queryKey: ['speedscope', profileId],
    queryFn: async ({ signal }) => {
      const response = await fetch(`/api/v1/profiles/${profileId}.speedscope.json`, { signal, credentials: 'same-origin' }).catch(() => {
        throw unreachable()
      })
      if (!response.ok) throw problemFrom(await response.json().catch(() => null), response.status)
      return response.text()
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}
