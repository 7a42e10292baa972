import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll, takePages } from './client'
import { keys } from './keys'
import type { Note, Timeline } from './types'

const casePath = (caseId: string) => ({ path: { case_id: caseId } })
const notePath = (noteId: string) => ({ path: { note_id: noteId } })

/** Timeline of a case, oldest entry first. */
export function useTimeline(caseId: string) {
  return useQuery({
    queryKey: keys.timeline(caseId),
    queryFn: async () => {
      const pages = await takePages((query) => client.GET('/api/v1/cases/{case_id}/timeline', { params: { ...casePath(caseId), query } }))
      return { ...(pages[0] as Timeline), items: pages.flatMap((page) => page.items) }
    },
  })
}

function useNoteMutation<Input, Output>(caseId: string, action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSettled: () => cache.invalidateQueries({ queryKey: keys.timeline(caseId) }) })
}

export function useWriteNote(caseId: string) {
  return useNoteMutation(caseId, (text: string): Promise<Note> => take(client.POST('/api/v1/cases/{case_id}/notes', { params: casePath(caseId), body: { text } })))
}

/** `revision` is the one that was read: later changes of other paragraphs are merged, of the same one rejected. */
export function useChangeNote(caseId: string) {
  return useNoteMutation(
    caseId,
    ({ id, text, revision }: { id: string; text: string; revision: number }): Promise<Note> => take(client.PUT('/api/v1/notes/{note_id}', { params: notePath(id), body: { text, revision } })),
  )
}

/** All versions of a note, oldest first. */
export function useNoteVersions(noteId: string, revision: number) {
  return useQuery({
    queryKey: keys.noteVersions(noteId, revision),
    queryFn: () => takeAll((query) => client.GET('/api/v1/notes/{note_id}/versions', { params: { ...notePath(noteId), query } })),
  })
}

export function useDeleteNote(caseId: string) {
  return useNoteMutation(caseId, (id: string) => take(client.DELETE('/api/v1/notes/{note_id}', { params: notePath(id) })))
}

export function useRestoreNote(caseId: string) {
  return useNoteMutation(caseId, (id: string) => take(client.POST('/api/v1/notes/{note_id}/restore', { params: notePath(id) })))
}
