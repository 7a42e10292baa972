import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { Case, CasesUpdate, CaseState, CaseUpdate } from './types'

export type CaseQuery = { q: string; state: CaseState | ''; sort: CaseSort }
export type CaseSort = 'relevance' | '-created_at' | 'created_at' | '-updated_at' | 'updated_at' | 'title' | '-number'

/** Paginated cases; polled every two seconds while a case is being processed. */
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

/** The address of the found cases as a table with these columns. */
export function caseTableHref(format: 'csv' | 'json', { q, state, sort }: CaseQuery, columns: readonly string[]): string {
  const asked = new URLSearchParams({ ...(q && { q }), ...(state && { state }), sort, columns: ['number', 'title', ...columns].join(',') })
  return `/api/v1/cases.${format}?${asked}`
}

const headQuery = (caseId: string) => ({
  queryKey: keys.caseHead(caseId),
  queryFn: () => take(client.GET('/api/v1/cases/{case_id}', { params: { path: { case_id: caseId } } })),
})

export function useCase(caseId: string) {
  return useQuery(headQuery(caseId))
}

/** Returns a function that fetches the current state of a case, bypassing the cache. */
export function useFetchCase(caseId: string) {
  const cache = useQueryClient()
  return () => cache.fetchQuery({ ...headQuery(caseId), staleTime: 0 })
}

/** Update with optimistic locking: `version` is sent as `If-Match`; a stale one fails with 412. */
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

/** The newest visible cases in which a signature matches or is suspected. */
export function useCasesOfSignature(signature: string) {
  return useQuery({ queryKey: [...keys.cases, 'signature', signature], queryFn: () => take(client.GET('/api/v1/cases', { params: { query: { signature, limit: 10 } } })) })
}

/** Changes several cases: all, or none. */
export function useUpdateCases() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ numbers, body }: { numbers: readonly number[]; body: CasesUpdate }) => take(client.PATCH('/api/v1/cases', { params: { query: { case: numbers.map(String) } }, body: { add_tags: [], remove_tags: [], ...body } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.cases }),
  })
}

/** Changes one case of the list, unless it was changed since `version`. */
export function useUpdateListedCase() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ number, version, body }: { number: number; version: string; body: CaseUpdate }) =>
      take(client.PATCH('/api/v1/cases/{case_id}', { params: { path: { case_id: String(number) }, header: { 'If-Match': `"${version}"` } }, body })),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.cases }),
  })
}

/** Maximum age of the displayed free space; the server checks it again on upload. */
const LIMITS_STALE_MS = 60_000

export function useLimits() {
  return useQuery({ queryKey: keys.limits, queryFn: () => take(client.GET('/api/v1/limits')), staleTime: LIMITS_STALE_MS })
}
