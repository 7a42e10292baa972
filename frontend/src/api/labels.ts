import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { Label, LabelWrite } from './types'

const of = (caseId: string) => ({ path: { case_id: caseId } })

/** What people said of the findings of a case. */
export function useLabels(caseId: string) {
  return useQuery({
    queryKey: keys.labels(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/labels', { params: { ...of(caseId), query } })),
  })
}

function useAsked(caseId: string) {
  const cache = useQueryClient()
  return () => Promise.all([cache.invalidateQueries({ queryKey: keys.labels(caseId) }), cache.invalidateQueries({ queryKey: keys.timeline(caseId) })])
}

export function useSayLabel(caseId: string) {
  const asked = useAsked(caseId)
  return useMutation({
    mutationFn: (body: LabelWrite): Promise<Label> => take(client.PUT('/api/v1/cases/{case_id}/labels', { params: of(caseId), body })),
    onSuccess: asked,
  })
}

export function useTakeBackLabel(caseId: string) {
  const asked = useAsked(caseId)
  return useMutation({
    mutationFn: (labelId: string) => take(client.DELETE('/api/v1/cases/{case_id}/labels/{label_id}', { params: { path: { case_id: caseId, label_id: labelId } } })),
    onSuccess: asked,
  })
}
