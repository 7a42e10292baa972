import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { Evidence } from './types'

/** Lines fetched at once; the server gives at most 2,000. */
export const LINES_PER_PAGE = 500

export function useEvidence(caseId: string) {
  return useQuery({
    queryKey: keys.evidence(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/evidence', { params: { path: { case_id: caseId }, query } })),
  })
}

function useEvidenceAction(caseId: string, act: (evidenceId: string) => Promise<unknown>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: act, onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }) })
}

const at = (evidenceId: string) => ({ params: { path: { evidence_id: evidenceId } } })

export function useRetryEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.POST('/api/v1/evidence/{evidence_id}/retry', at(id))))
}

export function useDeleteEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.DELETE('/api/v1/evidence/{evidence_id}', at(id))))
}

export function useRestoreEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.POST('/api/v1/evidence/{evidence_id}/restore', at(id))))
}

/** One page of raw lines, page 0 starting at line 1; bytes never change, so neither does the answer. */
export function linesPage({ id: evidenceId, sha256 }: Pick<Evidence, 'id' | 'sha256'>, page: number) {
  const first = page * LINES_PER_PAGE + 1
  return {
    queryKey: keys.lines(sha256, page),
    queryFn: () =>
      take(
        client.GET('/api/v1/evidence/{evidence_id}/lines', {
          params: { path: { evidence_id: evidenceId }, query: { first, last: first + LINES_PER_PAGE - 1 } },
        }),
      ),
    staleTime: Infinity,
  }
}
