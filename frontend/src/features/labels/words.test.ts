import { expect, it } from 'vitest'
import type { Label } from '../../api'
import { findingOf } from '../findings'
import { labelsOf, opinionMark, saidThen } from './words'

const said = (given: Partial<Label>): Label => ({
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
  ...given,
})

it('finds labels by what they are about, not by the row that was judged', () => {
  const labels = [said({}), said({ id: 'l2', host: 'db8' }), said({ id: 'l3', phase: 'after' }), said({ id: 'l4', signature: 'mm/memcg-limit-reclaim' })]
  expect(labelsOf(findingOf({ id: 'judged anew' }), labels).map(({ id }) => id)).toEqual(['l1'])
})

it('says in a row whether people agree', () => {
  expect(opinionMark([])).toBe('')
  expect(opinionMark([said({}), said({ opinion: 'unsure' })])).toBe('said to be right')
  expect(opinionMark([said({}), said({ opinion: 'wrong' })])).toBe('people disagree')
  expect(opinionMark([said({ opinion: 'unsure' })])).toBe('people are unsure')
})

it('does not let a word on another verdict pass for one on this', () => {
  expect(saidThen(said({}), findingOf({}))).toBe('')
  expect(saidThen(said({ verdict: 'suspect', version: 1 }), findingOf({ version: 2 }))).toBe('said when it was suspected, of version 1')
})
