import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'

const RUNS = ['settings', 'reprocess'] as const
/** Everything is chosen that another version judged or read. */
const OUTDATED = { all: false }
const RUNNING_MS = 2000
const IDLE_MS = 30_000

/** Runs that read and judge stored cases again, newest first; often while one is in progress. */
export const useReprocessRuns = () =>
  useInfiniteQuery({
    queryKey: [...RUNS, 'runs'],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/reprocess-runs', { params: { query: { limit: 20, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some((run) => run.state === 'running')) ? RUNNING_MS : IDLE_MS),
  })

/** What a run would do now. */
export const useReprocessCount = () =>
  useQuery({ queryKey: [...RUNS, 'count'], queryFn: () => take(client.POST('/api/v1/reprocess-runs/count', { body: OUTDATED })), refetchInterval: IDLE_MS })

/** What a run changed, from new cases to old. */
export const useReprocessedCases = (run: string, changed: boolean, isRunning: boolean) =>
  useInfiniteQuery({
    queryKey: [...RUNS, 'cases', run, changed],
    queryFn: ({ pageParam: cursor }) =>
      take(client.GET('/api/v1/reprocess-runs/{run_id}/cases', { params: { path: { run_id: run }, query: { limit: 50, changed, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: isRunning ? RUNNING_MS : false,
  })

function useRunMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: RUNS }) })
}
export const useReprocess = () => useRunMutation(() => take(client.POST('/api/v1/reprocess-runs', { body: OUTDATED })))
export const useCancelReprocess = () => useRunMutation((run: string) => take(client.POST('/api/v1/reprocess-runs/{run_id}/cancel', { params: { path: { run_id: run } } })))
