import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

export function useFindings(caseId: string) {
  return useQuery({
    queryKey: keys.findings(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/findings', { params: { path: { case_id: caseId } } })),
  })
}

export function useAnalyses(caseId: string) {
  return useQuery({
    queryKey: keys.analyses(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/analyses', { params: { path: { case_id: caseId } } })),
  })
}

export function useSignature(area: string, name: string) {
  return useQuery({
    queryKey: keys.signature(area, name),
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}', { params: { path: { area, name } } })),
    staleTime: 300_000,
  })
}
