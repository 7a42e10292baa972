import { useQuery } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import { apiUrl } from './views'

/** The wait graph of every host and phase of a case. */
export function useWaits(caseId: string, enabled = true) {
  return useQuery({
    enabled,
    queryKey: keys.waits(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/waits', { params: { path: { case_id: caseId } } })),
  })
}

/** Address of one wait graph as a file. */
export function waitsUrl(caseId: string, format: 'svg' | 'mermaid' | 'text', host: string, phase: string): string {
  return apiUrl(`/cases/${caseId}/waits/export`, { format, host, phase })
}
