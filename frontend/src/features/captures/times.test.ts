import { expect, it } from 'vitest'
import { localMinute, utcOf } from './times'

const now = new Date(2026, 2, 14, 3, 12, 40)

it('formats local time to the minute and parses it back', () => {
  const earlier = new Date(2026, 2, 14, 2, 58)
  expect(localMinute(now)).toBe('2026-03-14T03:12')
  expect(utcOf(localMinute(earlier), now)).toBe(earlier.toISOString())
})

it('returns null for the current minute and for invalid input', () => {
  expect([utcOf(localMinute(now), now), utcOf('', now), utcOf('soon', now)]).toEqual([null, null, null])
})
