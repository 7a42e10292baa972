import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { Visibility } from './types'

const caseParams = (caseId: string) => ({ params: { path: { case_id: caseId } } })

/** Access settings of a case, and whether the account may change them. */
export function useCaseAccess(caseId: string) {
  return useQuery({ queryKey: keys.caseAccess(caseId), queryFn: () => take(client.GET('/api/v1/cases/{case_id}/access', caseParams(caseId))) })
}

/** A mutation that invalidates the access settings of the case. */
function useAccessMutation<Input, Output>(caseId: string, action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: keys.caseAccess(caseId) }) })
}

export const useShareCase = (caseId: string) =>
  useAccessMutation(caseId, (body: { visibility: Visibility; team_id: string | null }) => take(client.PUT('/api/v1/cases/{case_id}/access', { ...caseParams(caseId), body })))
export const useSetCasePerson = (caseId: string) =>
  useAccessMutation(caseId, ({ id, isNamed }: { id: string; isNamed: boolean }) => {
    const params = { path: { case_id: caseId, account_id: id } }
    return take(isNamed ? client.PUT('/api/v1/cases/{case_id}/people/{account_id}', { params }) : client.DELETE('/api/v1/cases/{case_id}/people/{account_id}', { params }))
  })
export const useCreateLink = (caseId: string) =>
  useAccessMutation(caseId, (days: number) => take(client.POST('/api/v1/cases/{case_id}/links', { ...caseParams(caseId), body: { days } })))
export const useRevokeLink = (caseId: string) =>
  useAccessMutation(caseId, (id: string) => take(client.DELETE('/api/v1/cases/{case_id}/links/{link_id}', { params: { path: { case_id: caseId, link_id: id } } })))
