import { expect, it } from 'vitest'
import { readCompareSearch } from './search'

it('round-trips parameters, also as text', () => {
  const search = { a: 'p1', b: 'p2', q: 'lock', zoom: 4, node: 0, least: 0.02, idle: 'hidden' } as const
  expect(readCompareSearch(search)).toEqual(search)
  expect(readCompareSearch({ zoom: '4', node: '0', least: '0.02', q: 64 })).toEqual({ zoom: 4, node: 0, least: 0.02, q: '64' })
})

it('ignores invalid values', () => {
  expect(readCompareSearch({ a: '', zoom: -1, node: 'x', least: '', idle: 'yes' })).toEqual({})
})
