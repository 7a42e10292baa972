import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { client, take, takeAll } from './client'
import { type Dropped, fingerprintOf, type Sending } from './drops'
import { keys } from './keys'
import { problemFrom } from './problem'
import type { UploadRead } from './types'
import { uploadQueue } from './uploadQueue'

export { type Dropped, fingerprintOf, resumableUpload, type Sending, type SendStage } from './drops'
export { TransferRate } from './transferRate'

/** All uploads of this tab. */
export function useAllSendings(): readonly Sending[] {
  return useSyncExternalStore(uploadQueue.subscribe, uploadQueue.snapshot)
}

/** Uploads of this tab to one case. */
export function useSendings(caseNumber: number | undefined): readonly Sending[] {
  const all = useAllSendings()
  return useMemo(() => all.filter((sending) => sending.caseNumber === caseNumber), [all, caseNumber])
}

/** Incomplete uploads to a case as known to the server, from any client. */
export function useUploads(caseId: string) {
  return useQuery({
    queryKey: keys.uploads(caseId),
    queryFn: () => takeAll((query) => client.GET('/api/v1/cases/{case_id}/uploads', { params: { path: { case_id: caseId }, query } })),
  })
}

/** Incomplete uploads of the signed-in account, from any client. */
export function useOwnUploads() {
  return useQuery({ queryKey: keys.ownUploads, queryFn: () => takeAll((query) => client.GET('/api/v1/uploads', { params: { query } })), refetchOnMount: 'always' })
}

/** Upload files to a case, or to a new one. Resolves with the case number. */
export function useSendFiles(caseId: string | undefined, caseNumber: number | null) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (files: readonly Dropped[]) => {
      // Not from the cache: another tab may have started uploads since.
      const incomplete = await (caseId
        ? takeAll((query) => client.GET('/api/v1/cases/{case_id}/uploads', { params: { path: { case_id: caseId }, query } }))
        : takeAll((query) => client.GET('/api/v1/uploads', { params: { query } })))
      const limits = await cache.ensureQueryData({ queryKey: keys.limits, queryFn: () => take(client.GET('/api/v1/limits')) })
      const tooLarge = files.filter(({ file }) => file.size > limits.max_evidence_bytes)
      if (tooLarge.length > 0) throw problemFrom({ detail: tooLargeMessage(tooLarge, limits.max_evidence_bytes) }, 413)
      return uploadQueue.add(files, caseNumber, incomplete)
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.cases }),
  })
}

function tooLargeMessage(tooLarge: readonly Dropped[], limit: number): string {
  const names = tooLarge.slice(0, 3).map(({ path }) => path)
  const more = tooLarge.length > 3 ? ` and ${tooLarge.length - 3} more` : ''
  const gib = (limit / 2 ** 30).toLocaleString('en', { maximumFractionDigits: 1 })
  return `${names.join(', ')}${more}: larger than the limit of ${gib} GiB per file. Compress (zstd, gzip, xz) or omit. Nothing was uploaded.`
}

/** What takes a removal back, and what completes it once it can no longer be taken back. */
type Removal = { undo: () => void; finish: () => void }

/** Actions on uploads in progress. */
export function useSendActions(caseId: string | undefined) {
  const cache = useQueryClient()
  return useMemo(() => {
    const refresh = () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.ownUploads })
    const deleteUpload = (uploadId: string) =>
      take(client.DELETE('/api/v1/uploads/{upload_id}', { params: { path: { upload_id: uploadId } }, headers: { 'Tus-Resumable': '1.0.0' } }))
    return {
      pause: (key: string) => uploadQueue.pause(key),
      resume: (key: string) => uploadQueue.resume(key),
      /** Stop an upload. Returns its undo, and its deletion on the server. */
      cancel: (key: string): Removal => {
        const { undo, uploadId } = uploadQueue.withdraw(key)
        return { undo, finish: () => uploadId && void deleteUpload(uploadId).then(refresh, refresh) }
      },
      /** Returns the deletion of an incomplete upload of another client. */
      discard: (uploadId: string, onDeleted: () => void) => () => void deleteUpload(uploadId).then(refresh, refresh).finally(onDeleted),
    }
  }, [cache, caseId])
}

/** Finished uploads of this time are removed together. */
const BATCHED_MS = 800

/** Remove finished uploads from the list after the evidence is refetched, and uploads that another client finished. */
export function useForgetSent(caseId: string, sendings: readonly Sending[], uploads: readonly UploadRead[] | undefined): void {
  const cache = useQueryClient()
  const inProgress = new Set(uploads?.filter(({ state }) => state === 'sending').map(({ id }) => id))
  const finishedElsewhere = uploads && sendings.filter(({ stage, uploadId }) => stage === 'taken' && uploadId && !inProgress.has(uploadId)).map(({ key }) => key).join(' ')
  useEffect(() => {
    if (finishedElsewhere) uploadQueue.forget(finishedElsewhere.split(' '))
  }, [finishedElsewhere])
  const done = sendings.filter(({ stage }) => stage === 'sent').map(({ key }) => key).join(' ')
  const isRefetching = useRef(false)
  const latest = useRef(done)
  useEffect(() => {
    latest.current = done
    // One refetch at a time: a new one would cancel the previous one.
    if (!done || isRefetching.current) return
    isRefetching.current = true
    // Later batches of the same second share the refetch. Events of the case name the other resources that change.
    setTimeout(() => {
      const finished = latest.current.split(' ')
      // Batches create no upload on the server.
      const hasUploads = finished.some((key) => uploadQueue.snapshot().some((sending) => sending.key === key && sending.uploadId))
      const stale = [keys.evidence(caseId), ...(hasUploads ? [keys.uploads(caseId)] : [])]
      void Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey }))).then(() => {
        isRefetching.current = false
        uploadQueue.forget(finished)
      })
    }, BATCHED_MS)
  }, [cache, caseId, done])
}

/** Add pasted terminal text to a case, or to a new one. */
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

/** Resume an incomplete upload. The caller has verified that `file` is the same file. */
export function resumeUpload(upload: UploadRead, file: File): void {
  const path = upload.captured_path || upload.filename
  void uploadQueue.add([{ file, path }], upload.case_number, [{ ...upload, fingerprint: fingerprintOf(file) }])
}
