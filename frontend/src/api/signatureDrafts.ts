import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

type Schemas = components['schemas']
export type SignatureDraft = Schemas['SignatureDraftRead']
export type SignatureDraftCreate = Schemas['SignatureDraftCreate']
export type SignatureDraftReport = Schemas['SignatureDraftReport']

const path = (caseId: string) => ({ path: { case_id: caseId } })

/** The signatures drafted from a case, newest first. */
export function useSignatureDrafts(caseId: string) {
  return useQuery({
    queryKey: keys.signatureDrafts(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/signature-drafts', { params: { ...path(caseId), query } })),
  })
}

/** Requests a draft; events of the case report its progress. */
export function useDraftSignature(caseId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: SignatureDraftCreate) => take(client.POST('/api/v1/cases/{case_id}/signature-drafts', { params: path(caseId), body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.signatureDrafts(caseId) }),
  })
}
