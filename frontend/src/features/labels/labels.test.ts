import { expect, it } from 'vitest'
import type { Label } from '../../api'
import { findingOf } from '../findings'
import { labelsOf, opinionMark, staleNote } from './labels'

const label = (fields: Partial<Label>): Label => ({
  id: 'l1',
  signature: 'mm/mglru-evict-folios-lru-lock',
  host: 'db7',
  phase: 'during',
  opinion: 'right',
  misled_clause: '',
  remark: '',
  version: 1,
  verdict: 'match',
  author: 'kim',
  is_mine: true,
  created_at: '2026-11-21T03:00:00Z',
  updated_at: '2026-11-21T03:00:00Z',
  ...fields,
})

it('finds labels by signature, host and phase, not by finding id', () => {
  const labels = [label({}), label({ id: 'l2', host: 'db8' }), label({ id: 'l3', phase: 'after' }), label({ id: 'l4', signature: 'mm/memcg-limit-reclaim' })]
  expect(labelsOf(findingOf({ id: 'another revision' }), labels).map(({ id }) => id)).toEqual(['l1'])
})

it('summarises whether labels agree', () => {
  expect(opinionMark([])).toBe('')
  expect(opinionMark([label({}), label({ opinion: 'unsure' })])).toBe('labelled right')
  expect(opinionMark([label({}), label({ opinion: 'wrong' })])).toBe('labels disagree')
  expect(opinionMark([label({ opinion: 'unsure' })])).toBe('labelled unsure')
})

it('notes if a label was set for another verdict or version', () => {
  expect(staleNote(label({}), findingOf({}))).toBe('')
  expect(staleNote(label({ verdict: 'suspect', version: 1 }), findingOf({ version: 2 }))).toBe('set for verdict “may be”, version 1')
})
