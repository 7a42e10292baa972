import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

export type Baseline = components['schemas']['BaselineRead']
export type BaselineTrend = components['schemas']['TrendRead']
export type BaselinePoint = components['schemas']['PointRead']

/** All visible series of baselines. */
export function useBaselines() {
  return useQuery({
    queryKey: keys.baselines,
    queryFn: () => takeAll((query) => client.GET('/api/v1/baselines', { params: { query } })),
  })
}

/** The points of a series, oldest first, with the change points of one measure. */
export function useBaselineTrend(baseline: string, measure: string) {
  return useQuery({
    queryKey: keys.baselineTrend(baseline, measure),
    queryFn: () => take(client.GET('/api/v1/baselines/{baseline_id}', { params: { path: { baseline_id: baseline }, query: { measure } } })),
    placeholderData: keepPreviousData,
  })
}

/** Difference of the merged stacks of two points: `base` is A, `point` is B. */
export function useBaselineDiff(baseline: string, point: string, base: string, minDelta: number) {
  const query = { base, min_delta: minDelta }
  return useQuery({
    queryKey: keys.view('baseline', point, query),
    queryFn: ({ signal }) =>
      take(client.GET('/api/v1/baselines/{baseline_id}/points/{point_id}/diff', { params: { path: { baseline_id: baseline, point_id: point }, query }, signal })),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    structuralSharing: false,
  })
}

/** Deletes a point; the last one takes its series along. */
export function useDeleteBaselinePoint(baseline: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (point: string) => take(client.DELETE('/api/v1/baselines/{baseline_id}/points/{point_id}', { params: { path: { baseline_id: baseline, point_id: point } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.baselines }),
  })
}
