import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

const casePath = (caseId: string) => ({ path: { case_id: caseId } })

/** Hosts and boots of a case, with their verdicts. */
export function useHosts(caseId: string) {
  return useQuery({
    queryKey: keys.hosts(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts', { params: casePath(caseId) })),
  })
}

/** Facts that differ between `bad` and `good` hosts; fetched when both are chosen. */
export function useContrast(caseId: string, bad: string | undefined, good: readonly string[]) {
  return useQuery({
    queryKey: [...keys.hosts(caseId), 'contrast', bad, good],
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts/contrast', { params: { ...casePath(caseId), query: { bad: bad ?? '', good: [...good] } } })),
    enabled: bad !== undefined && good.length > 0,
  })
}

/** The outlier among at least three hosts, by its facts. */
export function useOutlier(caseId: string, enabled: boolean) {
  return useQuery({
    queryKey: [...keys.hosts(caseId), 'outlier'],
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/hosts/outlier', { params: casePath(caseId) })),
    enabled,
  })
}

/** Changes between phases. */
export function usePhases(caseId: string) {
  return useQuery({
    queryKey: keys.phases(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/phases', { params: casePath(caseId) })),
  })
}
