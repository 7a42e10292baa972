import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

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
