import { format } from '../../profile'
import type { Sending, SendStage, UploadRead } from '../../api'
import type { Tone } from '../../ui'

/** `2 min 10 s left`; empty while the rate is unknown. */
export function timeLeft(remainingBytes: number, bytesPerSecond: number): string {
  if (bytesPerSecond <= 0 || remainingBytes <= 0) return ''
  const seconds = Math.ceil(remainingBytes / bytesPerSecond)
  if (seconds < 60) return `${seconds} s left`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s left`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** `312 MiB of 900 MiB · 4.1 MiB/s · 2 min 23 s left`. */
export function progressText(bytes: number, totalBytes: number, bytesPerSecond: number): string {
  return [
    `${format.bytes(bytes)} of ${format.bytes(totalBytes)}`,
    bytesPerSecond > 0 ? `${format.bytes(bytesPerSecond)}/s` : '',
    timeLeft(totalBytes - bytes, bytesPerSecond),
  ]
    .filter(Boolean)
    .join(' · ')
}

export const STAGE_LABELS: Record<SendStage, string> = {
  waiting: 'waiting',
  sending: 'uploading',
  away: 'offline',
  paused: 'paused',
  taken: 'sent elsewhere',
  stopped: 'stopped',
  sent: 'queued',
}

export const STAGE_TONES: Record<SendStage, Tone> = {
  waiting: 'plain',
  sending: 'plain',
  away: 'suspect',
  paused: 'plain',
  taken: 'suspect',
  stopped: 'match',
  sent: 'plain',
}

/** What happens next at a stage, or what the person can do. */
export function advice({ stage, reason }: Sending): string {
  if (stage === 'away') return 'Server unreachable; retrying every few seconds. The upload resumes where it stopped.'
  if (stage === 'taken') return 'Another tab or machine is uploading this file.'
  return reason
}

export const nameOfUpload = (upload: UploadRead): string => upload.captured_path || upload.filename

/** Why `file` cannot resume `upload`; empty when it can. */
export function mismatch(file: File, upload: UploadRead): string {
  if (file.size !== upload.size_bytes) {
    return `${file.name} has ${format.count(file.size)} bytes; the unfinished upload has ${format.count(upload.size_bytes)}.`
  }
  const [, changedAt] = upload.fingerprint.split(':')
  if (upload.fingerprint && changedAt !== String(file.lastModified)) {
    return `${file.name} was changed after its upload started. Discard the upload and add the file again.`
  }
  return ''
}
