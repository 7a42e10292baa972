import { expect, it } from 'vitest'
import { fromInput, shortTime, tagsIn, toInput } from './labels'

it('edits times in UTC, whatever the browser uses', () => {
  expect(fromInput(toInput('2026-11-21T03:07:09.500Z'))).toBe('2026-11-21T03:07:09.000Z')
  expect(fromInput('2026-11-21T03:07')).toBe('2026-11-21T03:07:00.000Z')
  expect([fromInput(''), fromInput('soon')]).toEqual([null, null])
})

it('names the date of another day only', () => {
  expect(shortTime('2026-11-21T03:07:09Z', '2026-11-21')).toBe('03:07:09')
  expect(shortTime('2026-11-21T03:07:09Z', '2026-11-22')).toBe('2026-11-21 03:07')
})

it('reads tags in lower case, once each', () => {
  expect(tagsIn(' Postgres, db  postgres ')).toEqual(['db', 'postgres'])
})
