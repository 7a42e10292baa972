import { expect, it } from 'vitest'
import { problemFrom } from './problem'
import { retryDelayMs, shouldRetryMutation, shouldRetryQuery } from './retry'

const busy = problemFrom({}, 503, 1)
const databaseDown = problemFrom({}, 503)
const forbidden = problemFrom({}, 403)

it('retries a query under overload, and twice if the server is unavailable', () => {
  expect([0, 1, 2, 5, 6].map((count) => shouldRetryQuery(count, busy))).toEqual([true, true, true, true, false])
  expect([0, 1, 2].map((count) => shouldRetryQuery(count, databaseDown))).toEqual([true, true, false])
  expect(shouldRetryQuery(0, forbidden)).toBe(false)
})

it('retries a mutation only under overload', () => {
  expect([busy, databaseDown, forbidden, new Error('other')].map((error) => shouldRetryMutation(0, error))).toEqual([true, false, false, false])
})

it('waits for Retry-After plus up to 50 % jitter', () => {
  expect([retryDelayMs(0, busy, () => 0), retryDelayMs(0, busy, () => 1)]).toEqual([1000, 1500])
  expect(retryDelayMs(2, databaseDown, () => 0)).toBe(4000)
})
