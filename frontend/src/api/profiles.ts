import { useQuery } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import { problemFrom, unreachable } from './problem'
import type { Selection } from './selection'
import { exportUrl } from './views'

export function useProfiles(caseId: string) {
  return useQuery({
    queryKey: keys.profiles(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/profiles', { params: { path: { case_id: caseId }, query } })),
    enabled: caseId !== '',
  })
}

/** One profile by id. */
export function useProfile(profileId: string | undefined) {
  return useQuery({
    queryKey: keys.view('profile', profileId ?? '', {}),
    queryFn: () => take(client.GET('/api/v1/profiles/{profile_id}', { params: { path: { profile_id: profileId ?? '' } } })),
    enabled: profileId !== undefined,
    staleTime: Infinity,
  })
}

/** Raw evidence lines of one stack node. */
export function useNodeLines(profileId: string, node: number | null) {
  return useQuery({
    queryKey: ['node-lines', profileId, node],
    queryFn: () =>
      take(client.GET('/api/v1/profiles/{profile_id}/nodes/{node}/lines', { params: { path: { profile_id: profileId, node: node ?? 0 } } })),
    enabled: node !== null,
    staleTime: Infinity,
  })
}

/** The selected samples in speedscope's file format, as unparsed text. */
export function useSpeedscopeText(profileId: string, selection: Selection) {
  return useQuery({
    queryKey: keys.view('speedscope', profileId, selection),
    queryFn: async ({ signal }) => {
      const response = await fetch(exportUrl(profileId, 'speedscope.json', selection), { signal, credentials: 'same-origin' }).catch(() => {
        throw unreachable()
      })
      if (!response.ok) throw problemFrom(await response.json().catch(() => null), response.status)
      return response.text()
    },
    staleTime: Infinity,
    gcTime: 0,
  })
}
