import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { Label, LabelWrite } from './types'

const casePath = (caseId: string) => ({ path: { case_id: caseId } })

/** Labels that people set on the findings of a case. */
export function useLabels(caseId: string) {
  return useQuery({
    queryKey: keys.labels(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/labels', { params: { ...casePath(caseId), query } })),
  })
}

function useInvalidation(caseId: string) {
  const cache = useQueryClient()
  return () => Promise.all([cache.invalidateQueries({ queryKey: keys.labels(caseId) }), cache.invalidateQueries({ queryKey: keys.timeline(caseId) })])
}

export function useSetLabel(caseId: string) {
  const invalidate = useInvalidation(caseId)
  return useMutation({
    mutationFn: (body: LabelWrite): Promise<Label> => take(client.PUT('/api/v1/cases/{case_id}/labels', { params: casePath(caseId), body })),
    onSuccess: invalidate,
  })
}

export function useDeleteLabel(caseId: string) {
  const invalidate = useInvalidation(caseId)
  return useMutation({
    mutationFn: (labelId: string) => take(client.DELETE('/api/v1/cases/{case_id}/labels/{label_id}', { params: { path: { case_id: caseId, label_id: labelId } } })),
    onSuccess: invalidate,
  })
}
