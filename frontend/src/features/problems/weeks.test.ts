import { expect, it } from 'vitest'
import { allWeeks } from './weeks'

it('shows weeks without a case between those with one', () => {
  const weeks = [
    { start: '2026-11-02T00:00:00Z', cases: 2 },
    { start: '2026-11-16T00:00:00Z', cases: 1 },
  ]
  expect(allWeeks(weeks, Date.parse('2026-11-25T12:00:00Z')).map(({ cases }) => cases)).toEqual([2, 0, 1, 0])
  expect(allWeeks([], 0)).toEqual([])
})
