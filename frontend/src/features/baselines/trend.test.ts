import { describe, expect, it } from 'vitest'
import type { BaselinePoint } from '../../api'
import { readTrendSearch } from './search'
import { defaultPair, growthText, levelsOf, pointName, valueText } from './trend'

const point = (id: string, value: number | null): BaselinePoint => ({ id, commit: id, measured_at: '2026-11-21T12:00:00Z', author: 'ci', runs: 6, is_work_known: true, comms: [], value })
const slower = { trend: [point('a', 2), point('b', 8), point('c', null), point('d', 16), point('e', 16)], changes: [{ at: 3, growth: 3 }] }

describe('a trend', () => {
  it('has a level before and after each change point, as geometric means', () => {
    expect(levelsOf(slower).map(({ from, to, mean }) => [from, to, mean && Math.round(mean)])).toEqual([
      [0, 3, 4],
      [3, 5, 16],
    ])
  })

  it('without any value has a level without a mean', () => {
    expect(levelsOf({ trend: [point('a', null)], changes: [] })).toEqual([{ from: 0, to: 1, mean: null }])
  })

  it('compares the points around the latest change, else the oldest with the latest', () => {
    expect(defaultPair(slower)).toEqual({ a: 'c', b: 'd' })
    expect(defaultPair({ ...slower, changes: [] })).toEqual({ a: 'a', b: 'e' })
    expect(defaultPair({ trend: slower.trend.slice(0, 1), changes: [] })).toBeNull()
  })

  it('names points by commit or day, and signs growths', () => {
    expect([pointName(point('8843d7f92416', 1)), pointName(point('', 1))]).toEqual(['8843d7f92416', '2026-11-21'])
    expect([growthText(0.048), growthText(-0.5)]).toEqual(['+4.8 %', '−50 %'])
    expect([valueText(null, 'ns'), valueText(1_500_000, 'ns')]).toEqual(['–', '1.5 ms'])
  })
})

describe('the address of a trend', () => {
  it('keeps what it knows and ignores the rest', () => {
    expect(readTrendSearch({ measure: 'user.parse_rows', a: 'x', node: '7', least: -1, width: 'both', theme: 'dark' })).toEqual({ measure: 'user.parse_rows', a: 'x', node: 7 })
  })
})
