import { clauseOf, findingOf } from '../src/features/findings'
import type { Case, CaseOverview, Evidence, Finding } from '../src/api'

/** The answer to a GET request: a body, an error, or none at all. */
export type Answer = { body: unknown } | { status: number; title: string; detail: string; retryAfter?: number } | 'pending' | 'unreachable'
/** Answers by path below `/api/v1`. */
export type Answers = Record<string, Answer>

export const CASE = '/cases/7'
const WHEN = '2026-11-20T03:12:00Z'

export const list = (items: readonly unknown[]): Answer => ({ body: { items, next_cursor: null } })

export const caseOf = (fields: Partial<Case> = {}): Case =>
  ({ id: 'c7', number: 7, version: 'v1', title: 'db7 stalls', state: 'open', severity: null, created_at: WHEN, updated_at: WHEN, evidence_count: 1, reading_count: 0, unread_count: 0, arriving_count: 0, judged: true, visibility: 'team', closed_at: null, expires_at: null, resolution: null, hosts: ['db7'], headline: null, ...fields }) as Case

export const fileOf = (at: number, fields: Partial<Evidence> = {}): Evidence =>
  ({ id: `e${at}`, case_id: 'c7', parent_id: null, filename: `db${at}/dmesg.txt`, captured_path: '', sha256: '', size_bytes: 48_210, state: 'read', reason: '', line_count: 311, progress_share: null, host: `db${at}`, phase: 'during', sections: [], is_partial: false, is_duplicate_of: null, created_at: WHEN, ...fields }) as unknown as Evidence

const QUESTIONS = ['CPU', 'memory', 'IO', 'network', 'kernel log', 'locks', 'scheduling', 'cgroup limits']

export const overviewOf = (text: string, kind: string, alarms: readonly string[] = [], signature = ''): Answer => ({
  body: {
    evidence_rev: 1,
    judged_rev: 1,
    headline: { kind, text, signature, host: 'db7' },
    questions: QUESTIONS.map((title) => ({ name: title.replace(' ', '-'), title, state: alarms.includes(title) ? 'alarm' : title === 'CPU' ? 'no alarm' : 'not assessed', alarms: Number(alarms.includes(title)), capture: 'vmstat 1 5' })),
    statements: [],
    next_capture: 'vmstat 1 5',
    next_capture_reason: 'what uses the CPUs',
    first_steps: kind === 'statement' ? ['If one program causes most of it: run fewer threads of it, or pause it, and see whether it ends'] : [],
    signatures: { checked: 39 },
    matrix: { hypotheses: [], observations: [], captures: [{ name: '', title: 'what uses the CPUs', run: 'vmstat 1 5', cost: '', needs: [], alternatives: [], unsafe_if: [], decides: '', gain: 0 }] },
  } as unknown as CaseOverview,
})

export const findingsOf = (...items: Finding[]): Answer => ({ body: { items, next_cursor: null, judged_rev: 1, evidence_rev: 1, next_captures: [] } })

const CITED = [{ evidence_id: 'e7', evidence: 'db7/dmesg.txt', section: 0, first_line: 12, last_line: 14, profile_id: null, nodes: [] }] as never

export const findingAs = (verdict: Finding['verdict'], headline: string, certainty: string): Finding =>
  findingOf({ verdict, headline, certainty, clauses: [clauseOf({ citations: CITED }), clauseOf({ id: 'rival', title: 'Another lock is held', role: 'rival', state: verdict === 'match' ? 'FALSE' : 'UNKNOWN', observed: null })] })

const LINES = Array.from({ length: 40 }, (_, at) => `[ 1038.${511_000 + at}] mysqld D 0 991 1 0x00000000 line ${at + 1}`)

/** A case that is read and judged, without a finding. */
export const BASE: Answers = {
  '/me': { body: { id: 'u1', name: 'owner', role: 'admin', is_owner: true, signed_in_by: 'session', expires_at: WHEN } },
  '/limits': { body: { quota_bytes: 0, left_bytes: 7e10, max_evidence_bytes: 8e9, max_paste_bytes: 16e6, max_files_per_request: 20_000, max_lines_per_request: 2_000, decoded_bytes: 8e9, line_bytes: 16e6, archive_members: 200_000, archive_depth: 3 } },
  '/session/ways': { body: { password: true, oidc: null } },
  '/cases': list([]),
  [CASE]: { body: caseOf() },
  [`${CASE}/evidence`]: list([fileOf(7)]),
  [`${CASE}/findings`]: findingsOf(),
  [`${CASE}/overview`]: overviewOf('Nothing unusual found in what was assessed: CPU', 'nothing'),
  [`${CASE}/analyses`]: { body: { evidence_rev: 1, panels: [] } },
  [`${CASE}/access`]: { body: { visibility: 'team', team: null, owner: { id: 'u1', name: 'owner' }, people: [], links: [], may_change: true, may_share: true } },
  [`${CASE}/waits`]: { body: { evidence_rev: 1, graphs: [] } },
  [`${CASE}/similar`]: { body: { cases: [], compared: 12, stories: [], unweighed_profiles: 0, weights: {} } },
  [`${CASE}/events`]: 'pending',
  '/evidence/e7/lines': { body: { first_line: 1, total_lines: LINES.length, lines: LINES } },
}
