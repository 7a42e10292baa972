import { expect, it } from 'vitest'
import type { Case } from '../../api'
import { conflictingFields, undoOf } from './edits'

const base = { title: 'db7 stalls', state: 'open', severity: null, resolution: null, evidence_count: 1 } as Case
const ended = { signature: '', cause: 'the limit', fix: 'raised' }

it('reports a conflict when both changed the same field', () => {
  expect(conflictingFields(base, { ...base, title: 'by somebody else' }, { title: 'mine' })).toEqual(['title'])
  expect(conflictingFields(base, { ...base, state: 'closed', resolution: ended }, { state: 'closed', resolution: { ...ended, cause: 'the disk' } })).toEqual(['resolution'])
})

it('reports no conflict for other fields, equal values or new evidence', () => {
  expect(conflictingFields(base, { ...base, state: 'closed', resolution: ended }, { title: 'mine' })).toEqual([])
  expect(conflictingFields(base, { ...base, title: 'mine' }, { title: 'mine' })).toEqual([])
  expect(conflictingFields(base, { ...base, resolution: ended }, { resolution: { fix: 'raised', cause: 'the limit', signature: '' } })).toEqual([])
  expect(conflictingFields(base, { ...base, evidence_count: 7 }, { title: 'mine', state: 'closed' })).toEqual([])
})

it('compares the assignee by name, and takes a change back', () => {
  const ada = { ...base, status: 'mitigated', assignee: { id: '1', name: 'ada' }, tags: ['db'] } as Case
  expect(conflictingFields(base, ada, { assignee: 'ada' })).toEqual([])
  expect(conflictingFields(base, ada, { assignee: 'ben' })).toEqual(['assignee'])
  expect(undoOf(ada, { assignee: null, status: 'resolved', tags: [] })).toEqual({ assignee: 'ada', status: 'mitigated', tags: ['db'] })
})
