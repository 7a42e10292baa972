import type { Evidence } from '../src/api'
import { type Answers, BASE, CASE, caseOf, fileOf, findingAs, findingsOf, list, overviewOf } from './answers'
import { CHANGES_STATES } from './changesStates'

/** A page in one state: its address, and what the service answers. */
export type State = { path: string; answers: Answers; isOffline?: boolean }

const inCase = (answers: Answers): State => ({ path: CASE, answers: { ...BASE, ...answers } })
const MATCH = findingAs('match', 'Match: MGLRU reclaim spins on lru_lock', 'Very likely: every distinguishing condition is met, and no alternative is open.')
const SUSPECTED = findingAs('suspect', 'May be: MGLRU reclaim that spins on lru_lock. Decides: `perf lock contention -a sleep 10`.', 'Possible: not decided: another lock is held.')
const UNDECIDED = findingAs('unknown', 'Not decided: MGLRU reclaim spins on lru_lock', 'No distinguishing sign found.')
const files = (count: number, fieldsOf: (at: number) => Partial<Evidence> = () => ({})) => list(Array.from({ length: count }, (_, at) => fileOf(at, fieldsOf(at))))
const hosts = Array.from({ length: 40 }, (_, at) => `db${at}`)
const refused = (status: number, title: string, detail: string, retryAfter?: number) => ({ status, title, detail, ...(retryAfter !== undefined && { retryAfter }) })

export const STATES: Record<string, State> = {
  'cases-empty': { path: '/', answers: BASE },
  'cases-loading': { path: '/', answers: { ...BASE, '/cases': 'pending' } },
  'cases-rate-limited': { path: '/', answers: { ...BASE, '/cases': refused(429, 'Too Many Requests', 'too many requests of this account; 300 a minute are allowed') } },
  'cases-unreachable': { path: '/', answers: { ...BASE, '/cases': 'unreachable' } },
  ...CHANGES_STATES,
  'page-not-found': { path: '/no-such-page', answers: BASE },
  'case-loading': inCase({ [CASE]: 'pending', [`${CASE}/findings`]: 'pending', [`${CASE}/evidence`]: 'pending' }),
  'case-without-evidence': inCase({ [CASE]: { body: caseOf({ evidence_count: 0, hosts: [] }) }, [`${CASE}/evidence`]: list([]) }),
  'case-reading': inCase({ [CASE]: { body: caseOf({ judged: false, reading_count: 1 }) }, [`${CASE}/evidence`]: list([fileOf(7), fileOf(8, { state: 'reading', progress_share: 0.41 })]) }),
  'case-rejected-file': inCase({ [`${CASE}/evidence`]: list([fileOf(7), fileOf(8, { state: 'rejected', reason: 'perf.data is binary; send the text of `perf script --no-inline -i perf.data`' })]) }),
  'case-match': inCase({ [`${CASE}/findings`]: findingsOf(MATCH), [`${CASE}/overview`]: overviewOf(MATCH.headline, 'finding', ['locks', 'memory'], MATCH.signature) }),
  'case-suspected': inCase({ [`${CASE}/findings`]: findingsOf(SUSPECTED), [`${CASE}/overview`]: overviewOf(SUSPECTED.headline, 'finding', ['locks'], SUSPECTED.signature) }),
  'case-undecided': inCase({ [`${CASE}/findings`]: findingsOf(UNDECIDED), [`${CASE}/overview`]: overviewOf('31 % of kernel time spins on a lock; the recording does not show which', 'statement', ['locks']) }),
  'case-no-match': inCase({}),
  'case-closed': inCase({ [CASE]: { body: caseOf({ state: 'closed', closed_at: '2026-11-20T09:00:00Z' }) } }),
  'case-archived': inCase({ [CASE]: { body: caseOf({ state: 'closed', closed_at: '2026-08-20T09:00:00Z', expires_at: '2026-11-28T09:00:00Z' }) } }),
  'case-too-many-requests': inCase({ [CASE]: refused(429, 'Too Many Requests', 'too many requests of this account; 300 a minute are allowed', 20) }),
  'case-deleted': inCase({ [CASE]: refused(404, 'Not Found', 'there is no case 7') }),
  'case-not-shared': inCase({ [CASE]: refused(403, 'Forbidden', 'case 7 is not shared with this account') }),
  'case-server-error': inCase({ [`${CASE}/findings`]: refused(500, 'Internal Server Error', 'the findings could not be read') }),
  'case-lines-fail': inCase({ '/evidence/e7/lines': refused(409, 'Conflict', 'a worker is reading this file') }),
  'case-reconnecting': inCase({ [`${CASE}/events`]: 'unreachable' }),
  'case-offline': { ...inCase({}), isOffline: true },
  'case-500-files': inCase({ [CASE]: { body: caseOf({ evidence_count: 500 }) }, [`${CASE}/evidence`]: files(500, (at) => ({ filename: `db${at % 40}/file-${at}.txt`, host: `db${at % 40}`, ...(at === 499 && { state: 'failed', reason: 'the reader stopped; the file is read again' }) })) }),
  'case-40-hosts': inCase({ [CASE]: { body: caseOf({ evidence_count: 40, hosts }) }, [`${CASE}/evidence`]: files(40) }),
}
