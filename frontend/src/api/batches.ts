import { take, client } from './client'
import type { Dropped } from './drops'

/** Larger files are uploaded one by one, resumable. */
export const BATCH_FILE_BYTES = 256 * 1024
const BATCH_BYTES = 4 * 1024 * 1024
const BATCH_FILES = 32
/** Fewer files gain nothing. */
const LEAST_FILES = 2

/** Forms escape these characters in file names, and nobody can tell an escape from a name that looks like one. */
const ESCAPED_IN_FORMS = /["\r\n]/

/** The files of the next batch: small ones in order, up to `BATCH_FILES` and `BATCH_BYTES`; empty if too few are left. */
export function nextBatch<File extends { sizeBytes: number; path: string }>(files: readonly File[]): File[] {
  const batch: File[] = []
  let bytes = 0
  for (const file of files) {
    if (file.sizeBytes > BATCH_FILE_BYTES || file.sizeBytes === 0 || ESCAPED_IN_FORMS.test(file.path)) continue
    if (batch.length === BATCH_FILES || bytes + file.sizeBytes > BATCH_BYTES) break
    batch.push(file)
    bytes += file.sizeBytes
  }
  return batch.length < LEAST_FILES ? [] : batch
}

/**
 * Send files to a case in one request. Sending them again is safe: a file with the same path and content is stored once.
 *
 * @throws Problem if the server rejects the request or cannot be reached.
 */
export async function sendBatch(caseNumber: number, files: readonly Dropped[], signal: AbortSignal): Promise<void> {
  const form = new FormData()
  for (const { file, path } of files) form.append('files', file, path)
  await take(
    client.POST('/api/v1/cases/{case_id}/evidence', {
      params: { path: { case_id: String(caseNumber) } },
      body: { files: [] },
      bodySerializer: () => form,
      signal,
    }),
  )
}
