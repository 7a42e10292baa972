import type { DetailedError, Upload } from 'tus-js-client'
import { fingerprintOf } from './drops'
import type { UploadCreated } from './types'
import type { Entry } from './uploadEntry'
import { RETRY_DELAYS_MS } from './uploadRetry'

/** Files up to this size are sent in the creation request. */
const SMALL_BYTES = 256 * 1024

type Handlers = {
  onCreated: (created: UploadCreated) => void
  onProgress: (bytes: number) => void
  onShouldRetry: (error: DetailedError) => boolean
  onSuccess: () => void
  onError: (error: Error) => void
}

const address = (path: string) => new URL(path, window.location.href).href

/** The resumable upload of one file, not yet started. */
export async function tusUpload({ file, path, caseNumber, uploadId, drop, isLead }: Entry, { onCreated, ...handlers }: Handlers): Promise<Upload> {
  const tus = await import('tus-js-client')
  const dropMetadata = isLead && { drop_files: String(drop.files), drop_bytes: String(drop.bytes), drop_folder: drop.folder }
  return new tus.Upload(file, {
    endpoint: address(caseNumber === null ? '/api/v1/uploads' : `/api/v1/cases/${caseNumber}/uploads`),
    uploadUrl: uploadId && address(`/api/v1/uploads/${uploadId}`),
    metadata: { filename: path, fingerprint: fingerprintOf(file), ...dropMetadata },
    // The server tracks incomplete uploads, so they can resume in any browser.
    storeFingerprintForResuming: false,
    uploadDataDuringCreation: file.size > 0 && file.size <= SMALL_BYTES,
    retryDelays: RETRY_DELAYS_MS,
    onAfterResponse: (request, response) => {
      if (request.getMethod() === 'POST' && response.getStatus() === 201) onCreated(JSON.parse(response.getBody()) as UploadCreated)
    },
    ...handlers,
  })
}
