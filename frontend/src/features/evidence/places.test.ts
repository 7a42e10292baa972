import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { placesOf, sharedPlace, undoOf } from './places'

const file = (id: string, fields: Partial<Evidence> = {}) =>
  ({ id, parent_id: null, state: 'read', host: '', host_basis: '', phase: 'during', phase_basis: '', ...fields }) as Evidence

const WEB = { host_basis: 'assumed', host: 'web-01' } as const

it('sums files by host and phase, named hosts first', () => {
  const files = [file('a'), file('b', { ...WEB, host: 'web-10' }), file('c', WEB), file('d', WEB), file('e', { ...WEB, phase: 'before' })]
  expect(placesOf(files)).toBe('web-01 (1, before) · web-01 (2, during) · web-10 (1, during) · no host (1, during)')
})

it('says nothing of one unnamed host, and nothing of members and rejected files', () => {
  expect(placesOf([file('a'), file('b', { ...WEB, parent_id: 'a' }), file('c', { ...WEB, state: 'rejected' })])).toBe('')
  expect(placesOf([])).toBe('')
})

it('calls a folder assumed when any of its files is', () => {
  expect(sharedPlace([file('a', WEB), file('b', { host: 'web-01', host_basis: 'stated' })], 'host')).toEqual({ value: 'web-01', basis: 'assumed', isSeveral: false })
  expect(sharedPlace([file('a', WEB), file('b')], 'host').isSeveral).toBe(true)
})

it('takes a change back to what was set, and leaves the rest to be suggested', () => {
  const files = [file('a', WEB), file('b', { host: 'db7', host_basis: 'set' }), file('c')]
  expect(undoOf(files, { host: 'x' })).toEqual([
    { host: null, evidence_ids: ['a', 'c'] },
    { host: 'db7', evidence_ids: ['b'] },
  ])
  expect(undoOf(files, { phase: 'after' })).toEqual([{ phase: null, evidence_ids: ['a', 'b', 'c'] }])
})
