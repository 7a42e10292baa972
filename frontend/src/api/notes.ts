import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takePages } from './client'
import { keys } from './keys'
import type { Note, Timeline } from './types'

const of = (caseId: string) => ({ path: { case_id: caseId } })
const one = (noteId: string) => ({ path: { note_id: noteId } })

/** What happened in a case, oldest first. */
export function useTimeline(caseId: string) {
  return useQuery({
    queryKey: keys.timeline(caseId),
    queryFn: async () => {
      const pages = await takePages((query) => client.GET('/api/v1/cases/{case_id}/timeline', { params: { ...of(caseId), query } }))
      return { ...(pages[0] as Timeline), entries: pages.flatMap((page) => page.entries) }
    },
  })
}

function useNoteAction<Asked, Answer>(caseId: string, act: (asked: Asked) => Promise<Answer>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: act, onSuccess: () => cache.invalidateQueries({ queryKey: keys.timeline(caseId) }) })
}

export function useWriteNote(caseId: string) {
  return useNoteAction(caseId, (text: string): Promise<Note> => take(client.POST('/api/v1/cases/{case_id}/notes', { params: of(caseId), body: { text } })))
}

/** `revision` is that of the note as it was read; somebody else's later text is never overwritten. */
export function useChangeNote(caseId: string) {
  return useNoteAction(
    caseId,
    ({ id, text, revision }: { id: string; text: string; revision: number }): Promise<Note> => take(client.PUT('/api/v1/notes/{note_id}', { params: one(id), body: { text, revision } })),
  )
}

export function useDeleteNote(caseId: string) {
  return useNoteAction(caseId, (id: string) => take(client.DELETE('/api/v1/notes/{note_id}', { params: one(id) })))
}

export function useRestoreNote(caseId: string) {
  return useNoteAction(caseId, (id: string) => take(client.POST('/api/v1/notes/{note_id}/restore', { params: one(id) })))
}
