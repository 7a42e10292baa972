import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

/** The interval doubles from the first to the longest. */
const INDEXING_POLL_MS = { first: 3_000, longest: 24_000 }

/** Similar cases and stories; refetched per revision of the findings. */
export function useSimilar(caseId: string, revision: number | undefined) {
  return useQuery({
    queryKey: keys.similar(caseId, revision ?? 0),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/similar', { params: { path: { case_id: caseId } } })),
    enabled: revision !== undefined,
    // A separate job indexes functions and may finish after the findings.
    refetchInterval: ({ state }) =>
      (state.data?.unweighed_profiles ?? 0) > 0 && Math.min(INDEXING_POLL_MS.longest, INDEXING_POLL_MS.first * 2 ** Math.max(0, state.dataUpdateCount - 1)),
  })
}
