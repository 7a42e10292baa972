import { expect, it } from 'vitest'
import { firstNames } from './names'

it('names a few of many hosts and counts the others', () => {
  expect(firstNames(['db0', 'db1', 'db2'], 3)).toBe('db0, db1, db2')
  expect(firstNames(Array.from({ length: 40 }, (_, at) => `db${at}`), 2)).toBe('db0, db1 and 38 more')
  expect(firstNames([], 3)).toBe('')
})
