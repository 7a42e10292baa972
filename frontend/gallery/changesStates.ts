import type { ReprocessCount, ReprocessedCase, ReprocessRun } from '../src/api'
import { type Answers, BASE, list } from './answers'

const PATH = '/settings/changes'
const COUNT = '/reprocess-runs/count'
const RUNS = '/reprocess-runs'
const CASES = '/reprocess-runs/r1/cases'

const countOf = (fields: Partial<ReprocessCount> = {}) => ({ body: { cases: 1204, files: 310, file_bytes: 2_100_000_000, drafts: 3, ...fields } })
const NOTHING = countOf({ cases: 0, files: 0, file_bytes: 0, drafts: 0 })

const runOf = (fields: Partial<ReprocessRun> = {}): ReprocessRun => ({
  id: 'r1',
  state: 'done',
  author: 'owner',
  created_at: '2026-11-20T03:12:00Z',
  finished_at: '2026-11-20T04:12:00Z',
  takes_all: false,
  since: null,
  until: null,
  case_number: null,
  total: 1207,
  done: 1207,
  changes: { lost_match: 1, new_match: 14, suspect_to_match: 3, headline: 40, failed: 1, none: 1145 },
  reason: '',
  ...fields,
})

const caseOf = (number: number, fields: Partial<ReprocessedCase>): ReprocessedCase => ({
  case_id: `c${number}`,
  case_number: number,
  case_title: 'db7 stalls',
  change: 'none',
  at: '2026-11-20T03:40:00Z',
  files_read: 2,
  before: 'Nothing unusual found in what was assessed: CPU, memory',
  after: 'Nothing unusual found in what was assessed: CPU, memory',
  verdicts: [],
  reason: '',
  ...fields,
})

const CHANGED = [
  caseOf(1204, {
    change: 'new_match',
    after: 'Match: the connection tracking table is full, and packets of new connections are dropped',
    verdicts: [{ host: 'db7', phase: 'during', signature: 'net/conntrack-table-full', title: 'The connection tracking table is full', before: null, after: 'match' }],
  }),
  caseOf(981, {
    change: 'lost_match',
    before: 'Match: MGLRU reclaim spins on lru_lock',
    after: 'May be: MGLRU reclaim that spins on lru_lock',
    verdicts: [{ host: 'db7', phase: 'before', signature: 'mm/mglru-lru-lock', title: 'MGLRU reclaim spins on lru_lock', before: 'match', after: 'suspect' }],
  }),
  caseOf(700, { change: 'headline', before: '31 % of kernel time spins on a lock', after: '31 % of kernel time spins on a lock of the page cache' }),
  caseOf(12, { change: 'failed', before: '', after: '', reason: 'the analysis needs more than 1 GiB of memory' }),
]

/** The page of what reprocessing changed, in its states. */
export const CHANGES_STATES: Record<string, { path: string; answers: Answers }> = {
  'changes-none-yet': { path: PATH, answers: { ...BASE, [COUNT]: NOTHING, [RUNS]: list([]) } },
  'changes-loading': { path: PATH, answers: { ...BASE, [COUNT]: 'pending', [RUNS]: 'pending' } },
  'changes-running': {
    path: PATH,
    answers: { ...BASE, [COUNT]: countOf(), [RUNS]: list([runOf({ state: 'running', done: 312, finished_at: null, changes: { none: 300, new_match: 12 } })]), [CASES]: list(CHANGED.slice(0, 1)) },
  },
  'changes-done': {
    path: PATH,
    answers: { ...BASE, [COUNT]: NOTHING, [RUNS]: list([runOf(), runOf({ id: 'r0', state: 'cancelled', takes_all: true, done: 40, reason: 'cancelled by owner', changes: { none: 40 } })]), [CASES]: list(CHANGED) },
  },
  'changes-nothing-changed': { path: PATH, answers: { ...BASE, [COUNT]: NOTHING, [RUNS]: list([runOf({ changes: { none: 1207 } })]), [CASES]: list([]) } },
  'changes-unreachable': { path: PATH, answers: { ...BASE, [COUNT]: 'unreachable', [RUNS]: 'unreachable' } },
}
