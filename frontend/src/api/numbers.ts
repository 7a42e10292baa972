import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

/** Maximum lines per chart; more are not distinguishable. */
const MAX_LINES = 12

/** The histograms of bpftrace and bcc in all evidence of a case. */
export function useHistograms(caseId: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: keys.caseNumbers(caseId, 'histograms'),
    queryFn: ({ signal }) => take(client.GET('/api/v1/cases/{case_id}/histograms', { params: { path: { case_id: caseId } }, signal })),
    staleTime: 60_000,
  })
}

/** Time series of a case: pidstat and vmstat tables, repeated facts, pressure. */
export function useSeries(caseId: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: keys.caseNumbers(caseId, 'series'),
    queryFn: ({ signal }) => take(client.GET('/api/v1/cases/{case_id}/series', { params: { path: { case_id: caseId } }, signal })),
    staleTime: 60_000,
  })
}

/** One value of a series over time, one line per combination of the `by` labels. */
export function useSeriesLines(caseId: string, id: string, { value, by }: { value: string; by: readonly string[] }) {
  return useQuery({
    queryKey: [...keys.caseNumbers(caseId, 'series'), id, value, by],
    queryFn: ({ signal }) =>
      take(
        client.GET('/api/v1/cases/{case_id}/series/{series_id}', {
          params: { path: { case_id: caseId, series_id: id }, query: { ...(value && { value }), by: [...by], limit: MAX_LINES } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}
