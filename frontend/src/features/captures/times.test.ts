import { expect, it } from 'vitest'
import { localMinute, utcOf } from './times'

const now = new Date(2026, 2, 14, 3, 12, 40)

it('gives a field the local minute and reads it back as the same moment', () => {
  const earlier = new Date(2026, 2, 14, 2, 58)
  expect(localMinute(now)).toBe('2026-03-14T03:12')
  expect(utcOf(localMinute(earlier), now)).toBe(earlier.toISOString())
})

it('leaves this very minute, and nonsense, to the server', () => {
  expect([utcOf(localMinute(now), now), utcOf('', now), utcOf('soon', now)]).toEqual([null, null, null])
})
