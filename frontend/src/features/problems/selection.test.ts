import { describe, expect, it } from 'vitest'
import { durationText, toggled } from './selection'

describe('the time to mitigation', () => {
  it.each([[0, '0 s'], [40, '40 s'], [1200, '20 min'], [7500, '2 h 5 min'], [3600, '1 h'], [273_600, '3 d 4 h']])('of %d s is %s', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })
})

it('selects what was not selected, and the reverse', () => {
  expect([...toggled(new Set([1]), 2)]).toEqual([1, 2])
  expect([...toggled(new Set([1, 2]), 1)]).toEqual([2])
})
