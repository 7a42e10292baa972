import { format } from '../../profile'
import type { Sending, SendStage, UploadRead } from '../../api'
import type { Tone } from '../../ui'

/** `2 min 10 s left`; nothing while it is not known. */
export function timeLeft(restBytes: number, bytesPerSecond: number): string {
  if (bytesPerSecond <= 0 || restBytes <= 0) return ''
  const seconds = Math.ceil(restBytes / bytesPerSecond)
  if (seconds < 60) return `${seconds} s left`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s left`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min left`
}

/** `312 MiB of 900 MiB · 4.1 MiB/s · 2 min 23 s left`. */
export function pace(bytes: number, wholeBytes: number, bytesPerSecond: number): string {
  return [
    `${format.bytes(bytes)} of ${format.bytes(wholeBytes)}`,
    bytesPerSecond > 0 ? `${format.bytes(bytesPerSecond)}/s` : '',
    timeLeft(wholeBytes - bytes, bytesPerSecond),
  ]
    .filter(Boolean)
    .join(' · ')
}

export const STAGE_WORDS: Record<SendStage, string> = {
  waiting: 'waiting',
  sending: 'receiving',
  away: 'no connection',
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

/** What a person has to know beside the stage: what happens by itself, or what to do. */
export function advice({ stage, reason }: Sending): string {
  if (stage === 'away') return 'The server cannot be reached; it is tried again every few seconds, and goes on where it was.'
  if (stage === 'taken') return 'Another tab or machine sends this file now.'
  return reason
}

export const nameOfUpload = (upload: UploadRead): string => upload.captured_path || upload.filename

/** Why `file` is not what `upload` waits for; nothing when it is. */
export function mismatch(file: File, upload: UploadRead): string {
  if (file.size !== upload.size_bytes) {
    return `${file.name} has ${format.count(file.size)} bytes; the file that waits has ${format.count(upload.size_bytes)}.`
  }
  const [, changedAt] = upload.fingerprint.split(':')
  if (upload.fingerprint && changedAt !== String(file.lastModified)) {
    return `${file.name} was changed since its first part was sent. Discard what waits and send it anew.`
  }
  return ''
}
