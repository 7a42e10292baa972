import { expect, it } from 'vitest'
import { readDocument } from './document'

it('reads clauses written as a mapping', () => {
  expect(readDocument({ clauses: { at_limit: { role: 'context', weight: 1 } } }).clauses).toEqual([
    { id: 'at_limit', title: 'at limit', role: 'context', weight: 1, isVeto: false, ruledOutBy: [], checks: [] },
  ])
})

it('drops unsafe links and keeps the reference', () => {
  const references = [{ title: 'bad', url: 'javascript:alert(1)' }, { title: 'good', url: 'https://lore.kernel.org/x' }]
  expect(readDocument({ references }).references.map(({ title, url }) => [title, url])).toEqual([
    ['bad', ''],
    ['good', 'https://lore.kernel.org/x'],
  ])
})

it('shows which links were not checked, and how others were', () => {
  const url = 'https://dasl.cc/x'
  const references = [
    { title: 'read', url, checked: '2026-11-26', copy: 'Debian mount 2.42.4-1', status: 'published figures' },
    { title: 'not read', url, status: 'published figures' },
    { title: 'heard of', url, status: 'STORY-ONLY' },
    { title: 'commit', url, status: 'verified' },
    { title: 'no link', status: 'text' },
  ]
  expect(readDocument({ references }).references.map(({ status, check }) => [status, check])).toEqual([
    ['', 'Checked 2026-11-26: Debian mount 2.42.4-1'],
    ['link not checked', ''],
    ['from the story only', ''],
    ['', ''],
    ['', ''],
  ])
})

it('merges equal captures and lists their conditions', () => {
  const capture = { title: 'stacks', run: 'perf', cost: 'none', needs: ['root'] }
  const { captures } = readDocument({ clauses: [{ id: 'a', title: 'A' }, { id: 'b', title: 'B' }], next: { a: [capture], b: [capture] } })
  expect(captures).toEqual([{ title: 'stacks', run: 'perf', cost: 'none', needs: 'root', settles: ['A', 'B'], clauses: ['a', 'b'] }])
})

it('reads the releases and links of a fix', () => {
  const record = { name: 'one', subject: 'mm: do it once', fixed: ['6.18', '6.12.94'], absent: ['6.1.187'], lines: { el8: { clean: '4.18.0-425', lacks: '4.18.0-553' } }, links: [{ title: '0123456789ab', url: 'https://git.kernel.org/x' }, { title: 'bad', url: 'javascript:x' }] }
  const [fix] = readDocument({ fix_records: [record] }).fixRecords
  expect(fix?.lines).toEqual(['el8: without the fault up to 4.18.0-425, without the fix up to 4.18.0-553'])
  expect([fix?.subject, fix?.fixed, fix?.absent, fix?.links.map((link) => link.url)]).toEqual(['mm: do it once', ['6.18', '6.12.94'], ['6.1.187'], ['https://git.kernel.org/x', '']])
})

it('omits empty rows of a fix', () => {
  const [fix] = readDocument({ fixes: [{ title: 'Turn it off', scope: 'runtime', avoid: ['6.4', '6.5'] }] }).fixes
  expect(fix?.rows).toEqual([
    ['Scope', 'runtime'],
    ['Avoid', '6.4; 6.5'],
  ])
})

it('accepts a document of another shape', () => {
  expect(readDocument({ clauses: 7, affected: null, fixes: 'x', next: [] })).toMatchObject({ clauses: [], decide: { require: { all: [], any: [] }, match: { all: [], any: [], pairs: [] } }, kernels: [], fixRecords: [], reported: [], fixes: [], captures: [], references: [] })
})
