import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'
import { useMe } from './session'

export type ProblemSummary = components['schemas']['ProblemSummary']
export type ProblemRead = components['schemas']['ProblemRead']
export type ProblemKind = ProblemSummary['kind']

/** Problems with visible cases, the one with most first. */
export function useProblems(kind: ProblemKind) {
  return useInfiniteQuery({
    queryKey: keys.problems(kind),
    queryFn: ({ pageParam }) => take(client.GET('/api/v1/problems', { params: { query: { kind, ...(pageParam && { cursor: pageParam }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useProblem(key: string) {
  return useQuery({ queryKey: keys.problem(key), queryFn: () => take(client.GET('/api/v1/problems/{key}', { params: { path: { key } } })) })
}

/** Whether the person may merge and split problems. */
export function useIsCurator(): boolean {
  const role = useMe().data?.role
  return role === 'curator' || role === 'admin'
}

function useRefresh() {
  const cache = useQueryClient()
  return () => {
    // The one that is shown may be gone.
    void cache.invalidateQueries({ queryKey: keys.anyProblem, refetchType: 'none' })
    return Promise.all([keys.allProblems, keys.cases].map((queryKey) => cache.invalidateQueries({ queryKey })))
  }
}

/** Makes one problem of several; returns its key. */
export function useMergeProblems() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (body: components['schemas']['ProblemsMerge']) => take(client.POST('/api/v1/problems/merges', { body })), onSuccess })
}

/** Makes a problem of some cases of another one; returns its key. */
export function useSplitProblem() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (body: components['schemas']['ProblemSplit']) => take(client.POST('/api/v1/problems/splits', { body })), onSuccess })
}

/** Takes back a merge or a split. */
export function useTakeBackProblem() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: (key: string) => take(client.DELETE('/api/v1/problems/{key}', { params: { path: { key } } })), onSuccess })
}
