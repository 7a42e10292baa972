import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

export type Work = components['schemas']['JobsCancel']['work']

/** Cancels what is read, judged or prepared of a case, or of one evidence or handoff of it. */
export function useCancelJobs(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { work: Work; subject_id?: string }) => take(client.POST('/api/v1/cases/{case_id}/jobs/cancel', { params: { path: { case_id: caseId } }, body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}

/** Judges a case again, after a judgement that failed or was cancelled. */
export function useJudgeAgain(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => take(client.POST('/api/v1/cases/{case_id}/judge', { params: { path: { case_id: caseId } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.case(caseId) }),
  })
}
