import { expect, it } from 'vitest'
import { Pace } from './pace'

it('tells the bytes a second of the last seconds, not of the whole way', () => {
  const pace = new Pace()
  for (let second = 0; second <= 20; second++) pace.note(second * 100, second * 1000)
  for (let second = 1; second <= 10; second++) pace.note(2000 + second * 500, (20 + second) * 1000)
  expect(pace.perSecond(30_000)).toBeCloseTo(500, 0)
})

it('knows no rate before there are two moments, and none of a line that fell silent', () => {
  const pace = new Pace()
  pace.note(1000, 0)
  expect(pace.perSecond(0)).toBe(0)
  pace.note(2000, 1000)
  expect(pace.perSecond(1000)).toBe(1000)
  expect(pace.perSecond(20_000)).toBe(0)
})

it('begins anew when bytes have to be sent again', () => {
  const pace = new Pace()
  pace.note(9000, 0)
  pace.note(10_000, 1000)
  pace.note(4000, 2000)
  pace.note(4500, 3000)
  expect(pace.perSecond(3000)).toBe(500)
})
