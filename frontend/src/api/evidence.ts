import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { Evidence, Placement } from './types'

/** Lines per request; the server returns at most 2,000. */
export const LINES_PER_PAGE = 500

export function useEvidence(caseId: string) {
  return useQuery({
    queryKey: keys.evidence(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/evidence', { params: { path: { case_id: caseId }, query } })),
  })
}

function useEvidenceAction(caseId: string, action: (evidenceId: string) => Promise<unknown>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }) })
}

/** Sets host or phase of evidence. */
export function usePlaceEvidence(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Placement) => take(client.PATCH('/api/v1/cases/{case_id}/evidence', { params: { path: { case_id: caseId } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

const evidencePath = (evidenceId: string) => ({ params: { path: { evidence_id: evidenceId } } })

export function useRetryEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.POST('/api/v1/evidence/{evidence_id}/retry', evidencePath(id))))
}

export function useDeleteEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.DELETE('/api/v1/evidence/{evidence_id}', evidencePath(id))))
}

export function useRestoreEvidence(caseId: string) {
  return useEvidenceAction(caseId, (id) => take(client.POST('/api/v1/evidence/{evidence_id}/restore', evidencePath(id))))
}

/**
 * Query for one page of raw lines; page 0 starts at line 1. Evidence is immutable, so pages never go stale.
 * Lines exist once all of the file is read; an answer of before would be an error that stays.
 */
export function linesPage({ id: evidenceId, sha256, state }: Pick<Evidence, 'id' | 'sha256' | 'state'>, page: number) {
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
    enabled: state === 'read',
  }
}
