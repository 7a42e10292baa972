import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { client, take, takeAll } from './client'
import { type Dropped, fingerprintOf, type Sending, UNDO_MS } from './drops'
import { keys } from './keys'
import { problemFrom } from './problem'
import { sender } from './sending'
import type { UploadRead } from './types'

export { continued, type Dropped, fingerprintOf, type Sending, type SendStage } from './drops'
export { Pace } from './pace'

/** Everything that this tab sends. */
export function useAllSendings(): readonly Sending[] {
  return useSyncExternalStore(sender.subscribe, sender.snapshot)
}

/** What this tab sends into one case. */
export function useSendings(caseNumber: number | undefined): readonly Sending[] {
  const all = useAllSendings()
  return useMemo(() => all.filter((sending) => sending.caseNumber === caseNumber), [all, caseNumber])
}

/** Files on their way into a case, as the server knows them: from whatever tab or machine they come. */
export function useUploads(caseId: string) {
  return useQuery({
    queryKey: keys.uploads(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/uploads', { params: { path: { case_id: caseId }, query } })),
  })
}

/** Files that one began to send, anywhere, and that wait for their rest. */
export function useOwnUploads() {
  return useQuery({ queryKey: keys.ownUploads, queryFn: () => takeAll((query) => client.GET('/api/v1/uploads', { params: { query } })), refetchOnMount: 'always' })
}

/** Send files to a case, or to a new one; the answer is the number of the case, as soon as there is one. */
export function useSendFiles(caseId: string | undefined, caseNumber: number | null) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (files: readonly Dropped[]) => {
      // What waits for its rest is asked now: an answer of before may lack what another tab began meanwhile.
      const begun = await (caseId
        ? takeAll((query) => client.GET('/api/v1/cases/{case_id}/uploads', { params: { path: { case_id: caseId }, query } }))
        : takeAll((query) => client.GET('/api/v1/uploads', { params: { query } })))
      const limits = await cache.ensureQueryData({ queryKey: keys.limits, queryFn: () => take(client.GET('/api/v1/limits')) })
      const tooLong = files.filter(({ file }) => file.size > limits.max_evidence_bytes)
      if (tooLong.length > 0) throw problemFrom({ detail: tooLongSentence(tooLong, limits.max_evidence_bytes) }, 413)
      return sender.add(files, caseNumber, begun)
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.cases }),
  })
}

function tooLongSentence(tooLong: readonly Dropped[], limit: number): string {
  const names = tooLong.slice(0, 3).map(({ path }) => path)
  const more = tooLong.length > 3 ? ` and ${tooLong.length - 3} more` : ''
  const gib = (limit / 2 ** 30).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${names.join(', ')}${more}: one file may have ${gib} GiB. Compress it (zstd, gzip and xz are read) or leave it out. Nothing was sent.`
}

/** What can be done with a file on its way. */
export function useSendActions(caseId: string | undefined) {
  const cache = useQueryClient()
  return useMemo(() => {
    const refresh = () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.ownUploads })
    const giveUp = (uploadId: string) =>
      take(client.DELETE('/api/v1/uploads/{upload_id}', { params: { path: { upload_id: uploadId } }, headers: { 'Tus-Resumable': '1.0.0' } }))
    return {
      pause: (key: string) => sender.pause(key),
      resume: (key: string) => sender.resume(key),
      /** Stop sending and, when nobody took it back in time, have the server forget what came. Returns the way back. */
      cancel: (key: string): (() => void) => {
        const { undo, uploadId } = sender.withdraw(key)
        const timer = setTimeout(() => uploadId && void giveUp(uploadId).then(refresh, refresh), UNDO_MS)
        return () => {
          clearTimeout(timer)
          undo()
        }
      },
      /** Have the server forget a file that nobody here sends; the way back ends when it does. */
      discard: (uploadId: string, onGone: () => void): (() => void) => {
        const timer = setTimeout(() => void giveUp(uploadId).then(refresh, refresh).finally(onGone), UNDO_MS)
        return () => clearTimeout(timer)
      },
    }
  }, [cache, caseId])
}

/** Let go of files that are sent, once everything shown of their case knows of them; and of those that others finished. */
export function useHandOver(caseId: string, sendings: readonly Sending[], uploads: readonly UploadRead[] | undefined): void {
  const cache = useQueryClient()
  const coming = new Set(uploads?.filter(({ state }) => state === 'sending').map(({ id }) => id))
  const elsewhere = uploads && sendings.filter(({ stage, uploadId }) => stage === 'taken' && uploadId && !coming.has(uploadId)).map(({ key }) => key).join(' ')
  useEffect(() => {
    if (elsewhere) sender.forget(elsewhere.split(' '))
  }, [elsewhere])
  const done = sendings.filter(({ stage }) => stage === 'sent').map(({ key }) => key).join(' ')
  const isAsking = useRef(false)
  useEffect(() => {
    // One question at a time: a new one would cut off the answer to the last, and with many files none would come.
    if (!done || isAsking.current) return
    isAsking.current = true
    void cache.invalidateQueries({ queryKey: keys.case(caseId) }).then(() => {
      isAsking.current = false
      sender.forget(done.split(' '))
    })
  }, [cache, caseId, done])
}

/** Add text from a terminal to a case, or to a new one. */
export function usePaste(caseId: string | undefined) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (text: string) => {
      const body = { text, captured_path: '' }
      return caseId
        ? take(client.POST('/api/v1/cases/{case_id}/paste', { params: { path: { case_id: caseId } }, body }))
        : take(client.POST('/api/v1/paste', { body }))
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.cases }),
  })
}

/** Send the rest of a file whose first part is here already; whoever calls has seen that it is the same. */
export function continueUpload(upload: UploadRead, file: File): void {
  const path = upload.captured_path || upload.filename
  void sender.add([{ file, path }], upload.case_number, [{ ...upload, fingerprint: fingerprintOf(file) }])
}
