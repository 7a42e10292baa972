import { expect, it } from 'vitest'
import { findingsDelayMs, refetchDelayMs } from './refetchDelay'

it('refetches soon for a paste, and rarely while a minute of events arrives', () => {
  expect([0, 1, 2].map(refetchDelayMs)).toEqual([400, 400, 800])
  let [elapsed, rounds] = [0, 0]
  while (elapsed < 60_000) elapsed += refetchDelayMs(rounds++)
  expect(rounds).toBeLessThan(11)
  expect(refetchDelayMs(99)).toBe(12_000)
})

it('refetches findings soon while many files are read, and ever less often', () => {
  expect(findingsDelayMs(0)).toBe(3_000)
  let [elapsed, rounds] = [0, 0]
  while (elapsed < 30_000) elapsed += findingsDelayMs(rounds++)
  expect(rounds).toBe(6)
  expect(findingsDelayMs(99)).toBe(12_000)
})
