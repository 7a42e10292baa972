import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendBody } from './captures'
import { client, take } from './client'
import { keys } from './keys'

/** File name of the evidence that records a reported hang. */
export const hangFilename = (tool: string) => `said-${tool}-hangs.txt`

/** Report that a tool hangs: adds a one-line file to the evidence, marked as a statement. */
export function useReportHang(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (tool: string) => sendBody(caseId, hangFilename(tool), new Blob([`${tool} hangs\n`], { type: 'text/plain' })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Retract a reported hang: deletes its evidence. */
export function useRetractHang(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (evidenceId: string) => take(client.DELETE('/api/v1/evidence/{evidence_id}', { params: { path: { evidence_id: evidenceId } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}
