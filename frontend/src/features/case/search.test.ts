import { expect, it } from 'vitest'
import { clean, readCaseSearch } from './search'

it('reads what it wrote', () => {
  const search = { finding: 'f1', clause: 'at_limit', line: 812_344, view: 'table', zoom: 0, inverted: true, q: 'lock' } as const
  expect(readCaseSearch(search)).toEqual(search)
})

it('takes nonsense for nothing', () => {
  expect(readCaseSearch({ view: 'pie', line: -3, zoom: 'x', node: 1.5, order: 'random', finding: 7, inverted: 'no' })).toEqual({})
})

it('searches for a number too', () => {
  expect(readCaseSearch({ q: 64 })).toEqual({ q: '64' })
})

it('keeps addresses short', () => {
  expect(clean({ finding: 'f1', clause: undefined, q: '', zoom: null })).toEqual({ finding: 'f1' })
})
