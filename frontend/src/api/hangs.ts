import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendBody } from './captures'
import { client, take } from './client'
import { keys } from './keys'

/** The name of the evidence that a tick is: one sentence of a person, as a file of its own. */
export const hangName = (tool: string) => `said-${tool}-hangs.txt`

/** Say that a tool hangs: a sentence that joins the evidence, and counts as a person's word. */
export function useSayHangs(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (tool: string) => sendBody(caseId, hangName(tool), new Blob([`${tool} hangs\n`], { type: 'text/plain' })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Take the sentence out of the case again. */
export function useUnsayHangs(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (evidenceId: string) => take(client.DELETE('/api/v1/evidence/{evidence_id}', { params: { path: { evidence_id: evidenceId } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}
