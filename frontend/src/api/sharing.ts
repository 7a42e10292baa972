import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { Visibility } from './types'

const at = (caseId: string) => ({ params: { path: { case_id: caseId } } })

/** Who sees a case, and what one may do about it. */
export function useCaseAccess(caseId: string) {
  return useQuery({ queryKey: keys.caseAccess(caseId), queryFn: () => take(client.GET('/api/v1/cases/{case_id}/access', at(caseId))) })
}

/** A change after which who sees the case is asked again. */
function useChange<Input, Output>(caseId: string, change: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: change, onSuccess: () => cache.invalidateQueries({ queryKey: keys.caseAccess(caseId) }) })
}

export const useShareCase = (caseId: string) =>
  useChange(caseId, (body: { visibility: Visibility; team_id: string | null }) => take(client.PUT('/api/v1/cases/{case_id}/access', { ...at(caseId), body })))
export const useNamePerson = (caseId: string) =>
  useChange(caseId, ({ id, isNamed }: { id: string; isNamed: boolean }) => {
    const params = { path: { case_id: caseId, account_id: id } }
    return take(isNamed ? client.PUT('/api/v1/cases/{case_id}/people/{account_id}', { params }) : client.DELETE('/api/v1/cases/{case_id}/people/{account_id}', { params }))
  })
export const useMakeLink = (caseId: string) =>
  useChange(caseId, (days: number) => take(client.POST('/api/v1/cases/{case_id}/links', { ...at(caseId), body: { days } })))
export const useEndLink = (caseId: string) =>
  useChange(caseId, (id: string) => take(client.DELETE('/api/v1/cases/{case_id}/links/{link_id}', { params: { path: { case_id: caseId, link_id: id } } })))
