import { expect, it } from 'vitest'
import { clean, readCaseSearch } from './search'

it('round-trips parameters', () => {
  const search = { finding: 'f1', clause: 'at_limit', line: 812_344, view: 'table', zoom: 0, inverted: true, q: 'lock' } as const
  expect(readCaseSearch(search)).toEqual(search)
})

it('ignores invalid values', () => {
  expect(readCaseSearch({ view: 'pie', line: -3, zoom: 'x', node: 1.5, order: 'random', finding: 7, inverted: 'no' })).toEqual({})
})

it('accepts a number as search text', () => {
  expect(readCaseSearch({ q: 64 })).toEqual({ q: '64' })
})

it('omits empty values', () => {
  expect(clean({ finding: 'f1', clause: undefined, q: '', zoom: null })).toEqual({ finding: 'f1' })
})
