import type { FailedJob } from '../../api'

const WORK: Record<string, string> = {
  'evidence.batch': 'Reading small files',
  'evidence.forget_preview': 'Removing a preview',
  'evidence.keep': 'Storing an upload',
  'evidence.preview': 'Reading a preview',
  'evidence.read': 'Reading',
  'findings.judge': 'Judging',
  'findings.screen': 'Overview',
  'handoffs.prepare': 'Preparing a handoff',
  'profiles.index': 'Indexing functions',
  'reprocessing.step': 'Reprocessing',
  'signature_drafts.draft': 'Drafting a signature',
  'stories.begin': 'Drafting a story',
}

/** What jobs of a kind do. */
export function workOf({ kind }: Pick<FailedJob, 'kind'>): string {
  return WORK[kind] ?? kind
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** `4 s`, `12 min`, `3.5 h`. */
export function age(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${Math.round(seconds)} s`
  if (seconds < 2 * HOUR) return `${Math.round(seconds / MINUTE)} min`
  return `${(seconds / HOUR).toFixed(1)} h`
}

/** `1 job`, `1,204 jobs`. */
export function jobs(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'job' : 'jobs'}`
}
