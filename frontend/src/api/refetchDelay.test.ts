import { expect, it } from 'vitest'
import { refetchDelayMs } from './refetchDelay'

it('refetches soon for a paste, and rarely while a minute of events arrives', () => {
  expect([0, 1, 2].map(refetchDelayMs)).toEqual([400, 400, 800])
  let [elapsed, rounds] = [0, 0]
  while (elapsed < 60_000) elapsed += refetchDelayMs(rounds++)
  expect(rounds).toBeLessThan(11)
  expect(refetchDelayMs(99)).toBe(12_000)
})
