import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { PairOpinion } from './types'

/** Earlier cases that are the same problem. */
export function useSeenBefore(caseId: string) {
  return useQuery({
    queryKey: keys.seenBefore(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/seen-before', { params: { path: { case_id: caseId } } })),
  })
}

/** Labels a pair of cases, or with null removes the label. */
export function useLabelPair(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ other, opinion }: { other: number; opinion: PairOpinion | null }): Promise<void> => {
      const params = { path: { case_id: caseId, other: String(other) } }
      if (opinion === null) await take(client.DELETE('/api/v1/cases/{case_id}/seen-before/{other}', { params }))
      else await take(client.PUT('/api/v1/cases/{case_id}/seen-before/{other}', { params, body: { opinion } }))
    },
    onSuccess: () => Promise.all([cache.invalidateQueries({ queryKey: keys.seenBefore(caseId) }), cache.invalidateQueries({ queryKey: keys.cases })]),
  })
}
