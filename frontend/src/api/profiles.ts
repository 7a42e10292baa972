import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { indexInWorker } from './graphWorker'
import { keys } from './keys'
import { problemFrom, unreachable } from './problem'

export type StackOrder = 'left-heavy' | 'alpha' | 'time'
export type GraphView = { order: StackOrder; inverted: boolean; keep: number[] }

/** Boxes narrower than this share of the whole are left to their parents' totals. */
export const MIN_SHARE = 0.001

/** More ids than this would not fit into one request line. */
export const MAX_KEPT_NODES = 800

export function useProfiles(caseId: string) {
  return useQuery({
    queryKey: keys.profiles(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/profiles', { params: { path: { case_id: caseId } } })),
  })
}

/** The wide part of the graph, with the `keep` nodes whatever their width. */
export function useGraph(profileId: string | undefined, { order, inverted, keep }: GraphView) {
  return useQuery({
    queryKey: keys.graph(profileId ?? '', { order, inverted, keep }),
    queryFn: async ({ signal }) =>
      indexInWorker(
        await take(
          client.GET('/api/v1/profiles/{profile_id}/graph', {
            params: {
              path: { profile_id: profileId ?? '' },
              query: {
                min_share: MIN_SHARE,
                order,
                inverted,
                ...(keep.length > 0 && { keep: keep.slice(0, MAX_KEPT_NODES).join(',') }),
              },
            },
            parseAs: 'arrayBuffer',
            signal,
          }),
        ),
      ),
    enabled: profileId !== undefined,
    placeholderData: keepPreviousData,
    structuralSharing: false,
    staleTime: Infinity,
  })
}

/** All below one node that is at least `MIN_SHARE` of *it*; `share` is what the node is of the whole. */
export function useSubtree(profileId: string, node: number | null, share: number, order: StackOrder) {
  return useQuery({
    queryKey: ['subtree', profileId, node, order],
    queryFn: async ({ signal }) =>
      indexInWorker(
        await take(
          client.GET('/api/v1/profiles/{profile_id}/subtree', {
            params: { path: { profile_id: profileId }, query: { node: node ?? 0, min_share: MIN_SHARE * share, order } },
            parseAs: 'arrayBuffer',
            signal,
          }),
        ),
      ),
    enabled: node !== null,
    structuralSharing: false,
    staleTime: Infinity,
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
