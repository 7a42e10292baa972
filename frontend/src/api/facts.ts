import { useQuery } from '@tanstack/react-query'
import { client, takeAll } from './client'
import { keys } from './keys'

/** The facts of one name in all evidence of a case, once they are needed. */
export function useFacts(caseId: string, name: string, isNeeded = true) {
  return useQuery({
    queryKey: keys.facts(caseId, name),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/facts', { params: { path: { case_id: caseId }, query: { name, ...query } } })),
    enabled: isNeeded,
    staleTime: 60_000,
  })
}

/** All facts of a case. */
export function useAllFacts(caseId: string) {
  return useQuery({
    queryKey: keys.facts(caseId, ''),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/facts', { params: { path: { case_id: caseId }, query } })),
    staleTime: 60_000,
  })
}
