import { expect, it } from 'vitest'
import type { Evidence, Profile } from '../../api'
import { clauseOf, findingOf } from '../findings'
import { clausesOn, markdownLink, searchForClause, viewOf } from './view'

const citation = { evidence_id: 'e2', evidence: 'perf.script', section: 0, first_line: 12, last_line: 14, profile_id: 'p2', nodes: [7] }
const proved = findingOf({ id: 'f2', clauses: [clauseOf({ id: 'evicting', citations: [citation] })] })
const profiles = [{ id: 'p1', evidence_id: 'e1' }, { id: 'p2', evidence_id: 'e2' }] as Profile[]
const evidence = [{ id: 'e1', sections: [] }, { id: 'e2', sections: [] }] as unknown as Evidence[]

it('opens on the first finding and the profile that proves it', () => {
  const view = viewOf({}, [proved], profiles, evidence)
  expect([view.finding?.id, view.profile?.id, view.evidence?.id, view.line]).toEqual(['f2', 'p2', 'e2', null])
})

it('scrolls to the lines of the chosen condition', () => {
  expect(viewOf({ clause: 'evicting' }, [proved], profiles, evidence).line).toBe(12)
})

it('shows what the address says, also when it is not what the page would choose', () => {
  const view = viewOf({ clause: 'evicting', profile: 'p1', evidence: 'e1', line: 3 }, [proved], profiles, evidence)
  expect([view.profile?.id, view.evidence?.id, view.line]).toEqual(['p1', 'e1', 3])
})

it('survives an address that speaks of what is gone', () => {
  const view = viewOf({ finding: 'old', clause: 'old', profile: 'old', evidence: 'old' }, [proved], profiles, evidence)
  expect([view.finding?.id, view.clause, view.profile?.id]).toEqual(['f2', null, 'p1'])
})

it('a condition with frames brings back the graph and turns it right side up', () => {
  const next = searchForClause({ view: 'table', inverted: true, zoom: 4 }, proved, proved.clauses[0] ?? clauseOf({}), 0)
  expect(next).toMatchObject({ view: undefined, inverted: undefined, zoom: undefined, profile: 'p2', evidence: 'e2', line: 12 })
})

it('knows which conditions a profile is evidence of', () => {
  expect(clausesOn('p2', [proved]).map(({ clauseId }) => clauseId)).toEqual(['evicting'])
  expect(clausesOn('p1', [proved])).toEqual([])
})

it('leads from a note to what the page showed, not to the note', () => {
  expect(markdownLink('42', '?tab=timeline&view=table', findingOf({ id: 'f1', title: 'Spins on [lru_lock]' }))).toBe('[Spins on lru_lock](/cases/42?view=table&finding=f1)')
  expect(markdownLink('42', '?finding=f2&line=12', findingOf({ id: 'f2' }))).toBe('[these lines](/cases/42?finding=f2&line=12)')
  expect(markdownLink('42', '', undefined)).toBe('[this view](/cases/42)')
})
