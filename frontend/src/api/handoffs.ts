import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

type Schemas = components['schemas']
export type Handoff = Schemas['HandoffRead']
export type HandoffBegin = Schemas['HandoffCreate']
export type HandedFile = Schemas['HandedRead']
export type HandoffMessage = Schemas['MessageRead']
export type Origin = Schemas['OriginRead']
export type Redaction = Schemas['RedactionRead']

const of = (caseId: string) => ({ path: { case_id: caseId } })
const one = (caseId: string, handoffId: string) => ({ path: { case_id: caseId, handoff_id: handoffId } })

/** The handoffs of a case, newest first. */
export function useHandoffs(caseId: string) {
  return useQuery({ queryKey: keys.handoffs(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/handoffs', { params: { ...of(caseId), query } })) })
}

/** The handoffs that the case came as, with what is judged otherwise here. */
export function useOrigins(caseId: string) {
  return useQuery({ queryKey: keys.origins(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/origins', { params: { ...of(caseId), query } })) })
}

/** Lines of one file before and after redaction, from behind line `after` on. */
export function useChanges(caseId: string, handoffId: string, item: number, after: number) {
  return useQuery({
    queryKey: keys.handoffChanges(handoffId, item, after),
    queryFn: () =>
      take(
        client.GET('/api/v1/cases/{case_id}/handoffs/{handoff_id}/changes/{item}', {
          params: { path: { case_id: caseId, handoff_id: handoffId, item }, query: { after } },
        }),
      ),
    staleTime: Infinity,
  })
}

function useAction<Asked, Answer>(caseId: string, act: (asked: Asked) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: act, onSuccess: () => cache.invalidateQueries({ queryKey: keys.handoffs(caseId) }) })
}

export const useBeginHandoff = (caseId: string) =>
  useAction(caseId, (body: HandoffBegin) => take(client.POST('/api/v1/cases/{case_id}/handoffs', { params: of(caseId), body })))
export const useOfferHandoff = (caseId: string, id: string) =>
  useAction(caseId, (body: Schemas['HandoffOffer']) => take(client.POST('/api/v1/cases/{case_id}/handoffs/{handoff_id}/offer', { params: one(caseId, id), body })))
export const useEndHandoffLink = (caseId: string, id: string) =>
  useAction(caseId, (share: string) =>
    take(client.DELETE('/api/v1/cases/{case_id}/handoffs/{handoff_id}/links/{share_id}', { params: { path: { ...one(caseId, id).path, share_id: share } } })),
  )
export const useWriteToRecipients = (caseId: string, id: string) =>
  useAction(caseId, (text: string) => take(client.POST('/api/v1/cases/{case_id}/handoffs/{handoff_id}/messages', { params: one(caseId, id), body: { text } })))
export const useMoveHandoff = (caseId: string, id: string) =>
  useAction(caseId, (to: 'close' | 'reopen') => take(client.POST(`/api/v1/cases/{case_id}/handoffs/{handoff_id}/${to}`, { params: one(caseId, id) })))
