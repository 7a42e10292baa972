import type { Upload } from 'tus-js-client'
import type { Dropped, Sending } from './drops'
import type { Problem } from './problem'
import { TransferRate } from './transferRate'
import type { UploadRead } from './types'

/** The files of one drop. `onCase` receives the number of their case as soon as it exists. */
export type Drop = { files: number; bytes: number; folder: string; onCase: (caseNumber: number) => void; onRejected: (problem: Problem) => void }

/**
 * A queued file. The lead of a drop creates its case; `isSingle` excludes a file from batches. Either `tus` or
 * `batch` is set while it is sent.
 */
export type Entry = Sending & {
  file: File
  drop: Drop
  isLead: boolean
  isSingle: boolean
  tus: Upload | null
  batch: AbortController | null
  rate: TransferRate
  progressAt: number
}

/** A waiting entry; it resumes `upload` if given. */
export function newEntry(key: string, { file, path }: Dropped, drop: Drop, caseNumber: number | null, upload: UploadRead | undefined, isLead: boolean): Entry {
  return {
    key,
    caseNumber,
    uploadId: upload?.id ?? null,
    path,
    sizeBytes: file.size,
    sentBytes: upload?.offset_bytes ?? 0,
    bytesPerSecond: 0,
    stage: 'waiting',
    reason: '',
    file,
    drop,
    isLead,
    isSingle: false,
    tus: null,
    batch: null,
    rate: new TransferRate(),
    progressAt: 0,
  }
}

/** What the page shows of an entry. */
export function sendingOf({ file: _file, drop: _drop, isLead: _isLead, isSingle: _isSingle, tus: _tus, batch: _batch, rate: _rate, progressAt: _progressAt, ...sending }: Entry): Sending {
  return sending
}
