import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

/** The facts of one name in all evidence of a case. */
export function useFacts(caseId: string, name: string) {
  return useQuery({
    queryKey: keys.facts(caseId, name),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/facts', { params: { path: { case_id: caseId }, query: { name } } })),
    staleTime: 60_000,
  })
}

/** All facts of a case. */
export function useAllFacts(caseId: string) {
  return useQuery({
    queryKey: keys.facts(caseId, ''),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/facts', { params: { path: { case_id: caseId } } })),
    staleTime: 60_000,
  })
}
