import type { Clearing, KernelStatus } from '../../api'

/** Sign and words of each status; the sign alone never carries the meaning. */
export const STATUS: Record<KernelStatus, { sign: string; words: string; tone: 'bad' | 'maybe' | 'good' | 'open' | 'none' }> = {
  affected: { sign: '●', words: 'affected', tone: 'bad' },
  probably_affected: { sign: '●', words: 'very probably affected', tone: 'bad' },
  affected_unless_backported: { sign: '◐', words: 'affected unless the vendor backported the fix', tone: 'maybe' },
  unknown: { sign: '?', words: 'unknown', tone: 'open' },
  probably_not_affected: { sign: '–', words: 'probably not affected', tone: 'none' },
  not_affected: { sign: '–', words: 'not affected', tone: 'none' },
  fixed: { sign: '✓', words: 'fixed', tone: 'good' },
  version_independent: { sign: '', words: 'not a matter of the version', tone: 'none' },
}

/** What a release does for the problems of another: "clears 4 of 6, 1 unknown, adds 1". */
export function clearingWords({ cleared, undecided, added }: Pick<Clearing, 'cleared' | 'undecided' | 'added'>, affecting: number): string {
  const parts = [`clears ${cleared.length} of ${affecting}`]
  if (undecided.length > 0) parts.push(`${undecided.length} unknown`)
  if (added.length > 0) parts.push(`adds ${added.length}`)
  return parts.join(', ')
}
