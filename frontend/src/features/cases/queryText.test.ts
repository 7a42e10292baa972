import { expect, it } from 'vitest'
import { columnOf, complete, hasTerm, termsOf, toggleTerm } from './queryText'

it('keeps a quoted text in one term', () => {
  expect(termsOf('memory line:"out of memory" -status:closed').map(({ text }) => text)).toEqual(['memory', 'line:"out of memory"', '-status:closed'])
})

it('adds a term, and removes it again', () => {
  expect(toggleTerm('memory', 'host:db7')).toBe('memory host:db7')
  expect(toggleTerm('memory host:db7', 'host:db7')).toBe('memory')
  expect(hasTerm('a HOST:db7', 'host:db7')).toBe(true)
  expect(hasTerm('a host:db71', 'host:db7')).toBe(false)
})

it('completes the term at the cursor and leaves the rest', () => {
  expect(complete('ho', { start: 0, end: 2 }, 'host:')).toEqual({ query: 'host:', cursor: 5 })
  expect(complete('host:d memory', { start: 0, end: 6 }, 'host:db7')).toEqual({ query: 'host:db7 memory', cursor: 9 })
})

it('reads the column of an error', () => {
  expect(columnOf("There is no field 'hots'; did you mean host? (column 8)")).toBe(8)
  expect(columnOf('The server does not respond.')).toBeNull()
})
