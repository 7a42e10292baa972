import type { ReprocessCount, ReprocessedCase, ReprocessRun } from '../../api'

type Change = ReprocessedCase['change']

/** What changed in a case, the most important first; the word of one case, and of several. */
const CHANGES: readonly (readonly [Change, string])[] = [
  ['lost_match', 'Lost match'],
  ['new_match', 'New match'],
  ['suspect_to_match', 'Suspect → match'],
  ['suspect', 'Other suspects'],
  ['headline', 'Headline only'],
  ['failed', 'Failed'],
  ['none', 'None'],
]
const WORDS = new Map(CHANGES)
const KB = 1000

/** `Lost match`. */
export function changeWord(change: Change): string {
  return WORDS.get(change) ?? change
}

/** The counts of a run: `['Lost match', 2]` and so on, without those that are zero. */
export function changeCounts({ changes }: Pick<ReprocessRun, 'changes'>): [string, number][] {
  return CHANGES.flatMap(([change, word]) => (changes[change] ? [[word, changes[change]] as [string, number]] : []))
}

/** `1,204 cases, 310 files (2.1 GB) and 3 drafts`; empty when there is nothing. */
export function workWords({ cases, files, file_bytes, drafts }: ReprocessCount): string {
  const parts = [cases > 0 && counted(cases, 'case'), files > 0 && `${counted(files, 'file')} (${bytes(file_bytes)})`, drafts > 0 && counted(drafts, 'draft')].filter((part) => part !== false)
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '')
}

/** Which cases a run is for: `outdated`, `all`, with the times and the case that it was limited to. */
export function selectionWords(run: Pick<ReprocessRun, 'takes_all' | 'since' | 'until' | 'case_number'>): string {
  const limits = [run.case_number !== null && `case ${run.case_number}`, run.since && `since ${run.since.slice(0, 10)}`, run.until && `until ${run.until.slice(0, 10)}`].filter(Boolean)
  return [run.takes_all ? 'all' : 'outdated', ...limits].join(', ')
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log(Math.max(count, 1)) / Math.log(KB))))
  return `${(count / KB ** step).toFixed(step === 0 ? 0 : 1)} ${units[step]}`
}
