import type { UploadRead } from './types'

/** A file and the path below the dropped folder; a loose file has only its name. */
export type Dropped = { file: File; path: string }

/**
 * How far a file of this tab is: `taken` when another tab or machine sends it now, `stopped` when the server
 * said no, `away` while the server cannot be reached and is tried again.
 */
export type SendStage = 'waiting' | 'sending' | 'away' | 'paused' | 'taken' | 'stopped' | 'sent'

/** One file that this tab sends. `caseNumber` is null until the first file of a drop has made its case. */
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

/** So long a file that was taken off can be brought back. */
export const UNDO_MS = 8_000

/** What a file is known by when somebody comes back with it; the command tells the same. */
export const fingerprintOf = (file: File): string => `${file.size}:${file.lastModified}`

/** The upload that `file` continues: the same place, length and time of change, not yet whole. */
export function continued({ file, path }: Dropped, uploads: readonly UploadRead[]): UploadRead | undefined {
  return uploads.find(
    (upload) => upload.state === 'sending' && (upload.captured_path || upload.filename) === path && upload.fingerprint === fingerprintOf(file),
  )
}

/** Small files first: their findings are there while a large one still comes. */
export function inOrder(files: readonly Dropped[]): Dropped[] {
  return files.toSorted((a, b) => a.file.size - b.file.size)
}

/** The folder that all of these files are below, or none. */
export function folderOf(paths: readonly string[]): string {
  const folders = new Set(paths.map((path) => (path.includes('/') ? path.split('/', 1)[0] : '')))
  return folders.size === 1 ? ([...folders][0] ?? '') : ''
}
