import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

const COUNTING_MS = 3_000

/** Cases and stories like this case; asked again when its findings are, since all rests on the same evidence. */
export function useSimilar(caseId: string, revision: number | undefined) {
  return useQuery({
    queryKey: keys.similar(caseId, revision ?? 0),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/similar', { params: { path: { case_id: caseId } } })),
    enabled: revision !== undefined,
    // Functions are counted by a job of their own, which may end after the judge.
    refetchInterval: (query) => ((query.state.data?.unweighed_profiles ?? 0) > 0 ? COUNTING_MS : false),
  })
}
