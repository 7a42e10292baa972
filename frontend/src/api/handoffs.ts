import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

type Schemas = components['schemas']
export type Handoff = Schemas['HandoffRead']
export type HandoffCreate = Schemas['HandoffCreate']
export type HandoffFile = Schemas['RedactedFileRead']
export type HandoffMessage = Schemas['MessageRead']
export type Origin = Schemas['OriginRead']
export type Redaction = Schemas['RedactionRead']
export type TokenReplacement = Schemas['ReplacementRead']
export type OpenClassName = Schemas['OpenClassRead']['name']

const casePath = (caseId: string) => ({ path: { case_id: caseId } })
const handoffPath = (caseId: string, handoffId: string) => ({ path: { case_id: caseId, handoff_id: handoffId } })

/** The handoffs of a case, newest first. */
export function useHandoffs(caseId: string) {
  return useQuery({ queryKey: keys.handoffs(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/handoffs', { params: { ...casePath(caseId), query } })) })
}

/** Bundles this case was imported from, with verdicts that differ here. */
export function useOrigins(caseId: string) {
  return useQuery({ queryKey: keys.origins(caseId), queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/origins', { params: { ...casePath(caseId), query } })) })
}

/** Lines of one file before and after redaction; `cursor` is that of the page before. */
export function useChanges(caseId: string, handoffId: string, item: number, cursor: string) {
  return useQuery({
    queryKey: keys.handoffChanges(handoffId, item, cursor),
    queryFn: () =>
      take(
        client.GET('/api/v1/cases/{case_id}/handoffs/{handoff_id}/changes/{item}', {
          params: { path: { case_id: caseId, handoff_id: handoffId, item }, query: { ...(cursor && { cursor }) } },
        }),
      ),
    staleTime: Infinity,
  })
}

function useHandoffMutation<Input, Output>(caseId: string, action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: keys.handoffs(caseId) }) })
}

export const useCreateHandoff = (caseId: string) =>
  useHandoffMutation(caseId, (body: HandoffCreate) => take(client.POST('/api/v1/cases/{case_id}/handoffs', { params: casePath(caseId), body })))
export const useReplaceTokens = (caseId: string, id: string) =>
  useHandoffMutation(caseId, (tokens: TokenReplacement[]) =>
    take(client.PUT('/api/v1/cases/{case_id}/handoffs/{handoff_id}/replacements', { params: handoffPath(caseId, id), body: { tokens } })),
  )
export const useCreateHandoffLink = (caseId: string, id: string) =>
  useHandoffMutation(caseId, (body: Schemas['HandoffOffer']) => take(client.POST('/api/v1/cases/{case_id}/handoffs/{handoff_id}/offer', { params: handoffPath(caseId, id), body })))
export const useRevokeHandoffLink = (caseId: string, id: string) =>
  useHandoffMutation(caseId, (share: string) =>
    take(client.DELETE('/api/v1/cases/{case_id}/handoffs/{handoff_id}/links/{share_id}', { params: { path: { ...handoffPath(caseId, id).path, share_id: share } } })),
  )
export const useWriteToRecipients = (caseId: string, id: string) =>
  useHandoffMutation(caseId, (text: string) => take(client.POST('/api/v1/cases/{case_id}/handoffs/{handoff_id}/messages', { params: handoffPath(caseId, id), body: { text } })))
export const useSetHandoffState = (caseId: string, id: string) =>
  useHandoffMutation(caseId, (to: 'close' | 'reopen' | 'prepare') => take(client.POST(`/api/v1/cases/{case_id}/handoffs/{handoff_id}/${to}`, { params: handoffPath(caseId, id) })))
