import type { UploadRead } from './types'

/** A dropped file and its path relative to the drop; a single file has only its name. */
export type Dropped = { file: File; path: string }

/**
 * Upload state of a file in this tab: `taken` if another tab or machine is uploading it, `stopped` if the server
 * rejected it, `away` while the server cannot be reached and requests are retried.
 */
export type SendStage = 'waiting' | 'sending' | 'away' | 'paused' | 'taken' | 'stopped' | 'sent'

/** A file being uploaded by this tab. `caseNumber` is null until the first file of a drop has created the case. */
export type Sending = {
  key: string
  caseNumber: number | null
  uploadId: string | null
  path: string
  sizeBytes: number
  sentBytes: number
  bytesPerSecond: number
  stage: SendStage
  reason: string
}


/** Identifies a file when an upload resumes; the command-line client computes the same value. */
export const fingerprintOf = (file: File): string => `${file.size}:${file.lastModified}`

/** The incomplete upload that this file resumes: same path, size and modification time. */
export function resumableUpload({ file, path }: Dropped, uploads: readonly UploadRead[]): UploadRead | undefined {
  return uploads.find(
    (upload) => upload.state === 'sending' && (upload.captured_path || upload.filename) === path && upload.fingerprint === fingerprintOf(file),
  )
}

/** Small files first, so that their findings appear while large files upload. */
export function inOrder(files: readonly Dropped[]): Dropped[] {
  return files.toSorted((a, b) => a.file.size - b.file.size)
}

/** The common top folder of these paths; "" if there is none. */
export function folderOf(paths: readonly string[]): string {
  const folders = new Set(paths.map((path) => (path.includes('/') ? path.split('/', 1)[0] : '')))
  return folders.size === 1 ? ([...folders][0] ?? '') : ''
}
