import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { IncidentKind } from './types'

const casePath = (caseId: string) => ({ path: { case_id: caseId } })
const eventPath = (eventId: string) => ({ path: { event_id: eventId } })

/** Times of the incident, stated or proposed, and its events. */
export function useIncident(caseId: string) {
  return useQuery({ queryKey: keys.incident(caseId), queryFn: () => take(client.GET('/api/v1/cases/{case_id}/incident', { params: casePath(caseId) })) })
}

/** A mutation of events; the status of the case may change with it. */
function useEventMutation<Input, Output>(caseId: string, action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  const changed = [keys.incident(caseId), keys.timeline(caseId), keys.caseHead(caseId), keys.cases]
  return useMutation({ mutationFn: action, onSettled: () => Promise.all(changed.map((queryKey) => cache.invalidateQueries({ queryKey }))) })
}

export const useAddEvent = (caseId: string) =>
  useEventMutation(caseId, (body: { kind: IncidentKind; at: string; text: string }) => take(client.POST('/api/v1/cases/{case_id}/incident/events', { params: casePath(caseId), body })))
/** `revision` is the one that was read; a stale one is rejected. */
export const useChangeEvent = (caseId: string) =>
  useEventMutation(caseId, ({ id, ...body }: { id: string; at: string; text: string; revision: number }) => take(client.PUT('/api/v1/incident/events/{event_id}', { params: eventPath(id), body })))
export const useDeleteEvent = (caseId: string) => useEventMutation(caseId, (id: string) => take(client.DELETE('/api/v1/incident/events/{event_id}', { params: eventPath(id) })))
export const useRestoreEvent = (caseId: string) => useEventMutation(caseId, (id: string) => take(client.POST('/api/v1/incident/events/{event_id}/restore', { params: eventPath(id) })))
