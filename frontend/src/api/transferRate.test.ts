import { expect, it } from 'vitest'
import { TransferRate } from './transferRate'

it('averages over the last seconds, not the whole transfer', () => {
  const rate = new TransferRate()
  for (let second = 0; second <= 20; second++) rate.add(second * 100, second * 1000)
  for (let second = 1; second <= 10; second++) rate.add(2000 + second * 500, (20 + second) * 1000)
  expect(rate.perSecond(30_000)).toBeCloseTo(500, 0)
})

it('is 0 with fewer than two samples and after a stall', () => {
  const rate = new TransferRate()
  rate.add(1000, 0)
  expect(rate.perSecond(0)).toBe(0)
  rate.add(2000, 1000)
  expect(rate.perSecond(1000)).toBe(1000)
  expect(rate.perSecond(20_000)).toBe(0)
})

it('restarts when bytes are sent again', () => {
  const rate = new TransferRate()
  rate.add(9000, 0)
  rate.add(10_000, 1000)
  rate.add(4000, 2000)
  rate.add(4500, 3000)
  expect(rate.perSecond(3000)).toBe(500)
})
