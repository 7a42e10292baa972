import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { Phase } from './types'

const of = (caseId: string) => ({ path: { case_id: caseId } })

/** Machines and boots of a case, and the verdicts on each. */
export function useHosts(caseId: string) {
  return useQuery({
    queryKey: keys.hosts(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts', { params: of(caseId) })),
  })
}

/** What differs on `bad` from `good` hosts; asked once both are chosen. */
export function useContrast(caseId: string, bad: string | undefined, good: readonly string[]) {
  return useQuery({
    queryKey: [...keys.hosts(caseId), 'contrast', bad, good],
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts/contrast', { params: { ...of(caseId), query: { bad: bad ?? '', good: [...good] } } })),
    enabled: bad !== undefined && good.length > 0,
  })
}

/** The host that stands out by its facts; nobody does among fewer than three. */
export function useOutlier(caseId: string, isWanted: boolean) {
  return useQuery({
    queryKey: [...keys.hosts(caseId), 'outlier'],
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts/outlier', { params: of(caseId) })),
    enabled: isWanted,
  })
}

/** What changed from phase to phase. */
export function usePhases(caseId: string) {
  return useQuery({
    queryKey: keys.phases(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/phases', { params: of(caseId) })),
  })
}

export function usePlaceEvidence(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { phase: Phase; evidence_ids: string[] }) => take(client.PUT('/api/v1/cases/{case_id}/phases', { params: of(caseId), body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}
