import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { Case, CaseState, CaseUpdate } from './types'

export type CaseQuery = { q: string; state: CaseState | ''; sort: CaseSort }
export type CaseSort = '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | 'title' | '-number'

/** Pages of cases; asked again every few seconds while any of them is still being read. */
export function useCases({ q, state, sort }: CaseQuery) {
  return useInfiniteQuery({
    queryKey: keys.caseList(q, state, sort),
    queryFn: ({ pageParam }) =>
      take(client.GET('/api/v1/cases', { params: { query: { q, sort, ...(state && { state }), ...(pageParam && { cursor: pageParam }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval: (query) =>
      query.state.data?.pages.some((page) => page.items.some((item) => !item.judged && item.evidence_count > 0)) ? 2_000 : 30_000,
  })
}

const headOf = (caseId: string) => ({
  queryKey: keys.caseHead(caseId),
  queryFn: () => take(client.GET('/api/v1/cases/{case_id}', { params: { path: { case_id: caseId } } })),
})

export function useCase(caseId: string) {
  return useQuery(headOf(caseId))
}

/** Reads a case as it is at this moment. */
export function useReadCase(caseId: string) {
  const cache = useQueryClient()
  return () => cache.fetchQuery({ ...headOf(caseId), staleTime: 0 })
}

/** `version` is that of the case as it was read; what somebody wrote since is never overwritten. */
export function useUpdateCase(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ body, version }: { body: CaseUpdate; version: string }) =>
      take(client.PATCH('/api/v1/cases/{case_id}', { params: { path: { case_id: caseId }, header: { 'If-Match': `"${version}"` } }, body })),
    onSuccess: (updated: Case) => {
      cache.setQueryData(keys.caseHead(caseId), updated)
      return cache.invalidateQueries({ queryKey: keys.cases })
    },
  })
}

/** How long the free space that the page states may be out of date; the server checks it again. */
const LIMITS_STALE_MS = 60_000

export function useLimits() {
  return useQuery({ queryKey: keys.limits, queryFn: () => take(client.GET('/api/v1/limits')), staleTime: LIMITS_STALE_MS })
}
