import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, take } from './client'
import { keys } from './keys'
import { type Problem, problemFrom, unreachable } from './problem'
import type { Received } from './types'

/** A file and the path below the dropped folder; a loose file has only its name. */
export type Dropped = { file: File; path: string }
export type UploadProgress = { sentBytes: number; totalBytes: number; fileCount: number }

/** Send one request of files. `fetch` cannot tell how much has left, so this is the older way. */
function send(url: string, files: readonly Dropped[], onSent: (bytes: number) => void): Promise<Received> {
  const form = new FormData()
  for (const { file, path } of files) form.append('files', file, path)
  return new Promise((resolve, reject: (problem: Problem) => void) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.responseType = 'json'
    request.upload.addEventListener('progress', (event) => onSent(event.loaded))
    request.addEventListener('load', () =>
      request.status < 300 ? resolve(request.response as Received) : reject(problemFrom(request.response, request.status)),
    )
    request.addEventListener('error', () => reject(unreachable()))
    request.send(form)
  })
}

export function batches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))
}

/** One drop is one case: the first request makes it, the others join it. */
async function uploadAll(
  files: readonly Dropped[],
  caseId: string | undefined,
  maxFiles: number,
  onProgress: (progress: UploadProgress) => void,
): Promise<Received> {
  const totalBytes = files.reduce((sum, { file }) => sum + file.size, 0)
  let received: Received | undefined
  let sentBytes = 0
  for (const batch of batches(files, maxFiles)) {
    const target = caseId ?? received?.case.id
    const url = target ? `/api/v1/cases/${target}/evidence` : '/api/v1/evidence'
    const before = sentBytes
    const answer = await send(url, batch, (bytes) => onProgress({ sentBytes: Math.min(totalBytes, before + bytes), totalBytes, fileCount: files.length }))
    sentBytes += batch.reduce((sum, { file }) => sum + file.size, 0)
    received = { ...answer, evidence: [...(received?.evidence ?? []), ...answer.evidence] }
  }
  if (!received) throw problemFrom({ detail: 'Nothing was dropped: a folder without files has no evidence in it.' }, 400)
  return received
}

/** Add files to a case, or to a new one when `caseId` is undefined. */
export function useAddFiles(caseId: string | undefined, maxFiles = 100) {
  const cache = useQueryClient()
  const [progress, setProgress] = useState<UploadProgress | null>(null)
  const mutation = useMutation({
    mutationFn: (files: readonly Dropped[]) => uploadAll(files, caseId, maxFiles, setProgress),
    onSuccess: () => cache.invalidateQueries({ queryKey: caseId ? keys.case(caseId) : keys.cases }),
    onSettled: () => setProgress(null),
  })
  return { ...mutation, progress }
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
