import type { Evidence } from '../../api'
import type { Tone } from '../../ui'
import { placesOf } from './places'

export const STATE_LABELS: Record<Evidence['state'], string> = {
  received: 'queued',
  reading: 'reading',
  read: 'read',
  rejected: 'rejected',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** The stage of a file: queued, reading, read, judged, rejected, failed or cancelled. */
export function stageOf(item: Evidence, isJudged: boolean): string {
  return item.state === 'read' && isJudged ? 'judged' : STATE_LABELS[item.state]
}

export const STATE_TONES: Record<Evidence['state'], Tone> = { received: 'plain', reading: 'plain', read: 'calm', rejected: 'match', failed: 'match', cancelled: 'plain' }

export function isBusy({ state }: Evidence): boolean {
  return state === 'received' || state === 'reading'
}

/** The recognised formats without duplicates: `perf script, proc vmstat`. */
export function formatsOf(evidence: Evidence): string {
  return [...new Set(evidence.sections.map((section) => section.title || section.format))].join(', ')
}

export function skippedLines(evidence: Evidence): number {
  return evidence.sections.flatMap((section) => section.skipped).reduce((sum, { count }) => sum + count, 0)
}

/** Characters that turn the direction of what follows, with which a name looks like another. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g

/** The path or name of a file; characters that turn its direction are shown as `�`. */
export function nameOf(evidence: Pick<Evidence, 'captured_path' | 'filename'>): string {
  return (evidence.captured_path || evidence.filename).replaceAll(TURNING, '�')
}

/** Files that were not read, and can be read again. */
export function isUnread({ state }: Evidence): boolean {
  return state === 'rejected' || state === 'failed' || state === 'cancelled'
}

/** `40 files, 1 could not be read, 41 % read: web-01 (20, during) · web-02 (20, during)`. */
export function summary(all: readonly Evidence[]): string {
  const files = all.filter((item) => item.parent_id === null)
  const members = all.length - files.length
  const failed = all.filter((item) => item.state === 'rejected' || item.state === 'failed').length
  const cancelled = all.filter((item) => item.state === 'cancelled').length
  const busy = all.filter(isBusy)
  const share = busy.reduce((sum, item) => sum + (item.progress_share ?? 0), all.length - busy.length) / Math.max(1, all.length)
  const counts = [
    `${files.length} ${files.length === 1 ? 'file' : 'files'}${members > 0 ? ` with ${members} members` : ''}`,
    failed > 0 ? `${failed} could not be read` : '',
    cancelled > 0 ? `${cancelled} cancelled` : '',
    busy.length > 0 ? `${Math.floor(share * 100)} % read` : '',
  ]
  const places = placesOf(all)
  return `${counts.filter(Boolean).join(', ')}${places && `: ${places}`}`
}
