import { expect, it } from 'vitest'
import type { Evidence, Profile } from '../../api'
import { clauseOf, findingOf } from '../findings'
import { clausesOn, markdownLink, searchForClause, viewOf } from './view'

const citation = { evidence_id: 'e2', evidence: 'perf.script', section: 0, first_line: 12, last_line: 14, profile: 0, profile_id: 'p2', nodes: [7] }
const proved = findingOf({ id: 'f2', clauses: [clauseOf({ id: 'evicting', citations: [citation] })] })
const profiles = [{ id: 'p1', evidence_id: 'e1' }, { id: 'p2', evidence_id: 'e2' }] as Profile[]
const evidence = [{ id: 'e1', sections: [] }, { id: 'e2', sections: [] }] as unknown as Evidence[]

it('opens on the first finding and the profile it cites', () => {
  const view = viewOf({}, [proved], profiles, evidence)
  expect([view.finding?.id, view.profile?.id, view.evidence?.id, view.line]).toEqual(['f2', 'p2', 'e2', 12])
})

it('preselects the strongest met condition, unless lines or a profile are chosen', () => {
  const weak = clauseOf({ id: 'weak', role: 'context', weight: 9, citations: [citation] })
  const lines = clauseOf({ id: 'lines', citations: [{ ...citation, profile: 0, profile_id: null, nodes: [] }] })
  const frames = clauseOf({ id: 'frames', citations: [citation] })
  const rival = clauseOf({ id: 'rival', role: 'rival', weight: 9, citations: [citation] })
  const open = clauseOf({ id: 'open', state: 'UNKNOWN', weight: 9, citations: [citation] })
  const finding = findingOf({ clauses: [weak, lines, rival, open, frames] })
  expect(viewOf({}, [finding], profiles, evidence).clause?.id).toBe('frames')
  expect(viewOf({ evidence: 'e2', line: 3 }, [finding], profiles, evidence).clause).toBeNull()
  expect(viewOf({ profile: 'p1' }, [finding], profiles, evidence).clause).toBeNull()
  expect(viewOf({}, [{ ...finding, verdict: 'unknown' }], profiles, evidence).clause).toBeNull()
})

it('shows the line behind the headline of the overview without an answer', () => {
  const lead = { evidence_id: 'e2', first_line: 7, last_line: 9 }
  const shown = viewOf({}, [], [], evidence, lead)
  expect([shown.evidence?.id, shown.line, shown.proof]).toEqual(['e2', 7, { first: 7, last: 9 }])
  expect(viewOf({}, [], profiles, evidence, lead).profile?.id).toBe('p2')
  expect(viewOf({}, [proved], profiles, evidence, lead).line).toBe(12)
  expect(viewOf({ evidence: 'e1' }, [], [], evidence, lead).evidence?.id).toBe('e1')
})

it('says when the only profile is of another host than the lines that prove', () => {
  const hosts = [{ id: 'e1', sections: [], host: 'web-10' }, { id: 'e2', sections: [], host: 'web-13' }] as unknown as Evidence[]
  const other = profiles.slice(0, 1)
  const lead = { evidence_id: 'e2', first_line: 7, last_line: 9 }
  expect(viewOf({}, [], other, hosts, lead).isBeside).toBe(true)
  expect(viewOf({ profile: 'p1' }, [], other, hosts, lead).isBeside).toBe(false)
  expect(viewOf({}, [], profiles, hosts, lead).isBeside).toBe(false)
  expect(viewOf({}, [], other, hosts).isBeside).toBe(false)
})

it('scrolls to the lines of the chosen condition', () => {
  expect(viewOf({ clause: 'evicting' }, [proved], profiles, evidence).line).toBe(12)
})

it('prefers URL parameters to the defaults', () => {
  const view = viewOf({ clause: 'evicting', profile: 'p1', evidence: 'e1', line: 3 }, [proved], profiles, evidence)
  expect([view.profile?.id, view.evidence?.id, view.line]).toEqual(['p1', 'e1', 3])
})

it('keeps the profile that is looked at until a finding cites another one', () => {
  expect(viewOf({}, [], profiles, evidence, undefined, 'p2').profile?.id).toBe('p2')
  expect(viewOf({}, [], profiles, evidence, undefined, 'gone').profile?.id).toBe('p1')
  expect(viewOf({}, [proved], profiles, evidence, undefined, 'p1').profile?.id).toBe('p2')
})

it('falls back to defaults for unknown ids', () => {
  const view = viewOf({ finding: 'old', clause: 'old', profile: 'old', evidence: 'old' }, [proved], profiles, evidence)
  expect([view.finding?.id, view.clause, view.profile?.id]).toEqual(['f2', null, 'p1'])
})

it('shows the non-inverted graph for a condition with frames', () => {
  const next = searchForClause({ view: 'table', inverted: true, zoom: 4 }, proved, proved.clauses[0] ?? clauseOf({}), 0)
  expect(next).toMatchObject({ view: undefined, inverted: undefined, zoom: undefined, profile: 'p2', evidence: 'e2', line: 12 })
})

it('lists the conditions that cite a profile', () => {
  expect(clausesOn('p2', [proved]).map(({ clauseId }) => clauseId)).toEqual(['evicting'])
  expect(clausesOn('p1', [proved])).toEqual([])
})

it('links a note to the view, not to the timeline tab', () => {
  expect(markdownLink('42', '?tab=timeline&view=table', findingOf({ id: 'f1', title: 'Spins on [lru_lock]' }))).toBe('[Spins on lru_lock](/cases/42?view=table&finding=f1)')
  expect(markdownLink('42', '?finding=f2&line=12', findingOf({ id: 'f2' }))).toBe('[these lines](/cases/42?finding=f2&line=12)')
  expect(markdownLink('42', '', undefined)).toBe('[this view](/cases/42)')
})
