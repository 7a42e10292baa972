import { expect, it } from 'vitest'
import { readDocument } from './document'

it('reads clauses written as a mapping', () => {
  expect(readDocument({ clauses: { at_limit: { role: 'context', weight: 1 } } }).clauses).toEqual([{ id: 'at_limit', title: 'at limit', role: 'context', weight: 1 }])
})

it('shows no link that a browser should not open', () => {
  const references = [{ title: 'bad', url: 'javascript:alert(1)' }, { title: 'good', url: 'https://lore.kernel.org/x' }]
  expect(readDocument({ references }).references.map(({ title }) => title)).toEqual(['good'])
})

it('survives a document of another shape', () => {
  expect(readDocument({ clauses: 7, affected: null, fixes: 'x' })).toEqual({ clauses: [], affected: [], reported: [], fixes: [], references: [] })
})
