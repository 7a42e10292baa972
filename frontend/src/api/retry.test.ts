import { expect, it } from 'vitest'
import { problemFrom } from './problem'
import { repeatsMutation, repeatsQuery, retryDelayMs } from './retry'

const busy = problemFrom({}, 503, 1)
const databaseAway = problemFrom({}, 503)
const refused = problemFrom({}, 403)

it('repeats a query while the server is busy, and twice when it does not answer', () => {
  expect([0, 1, 2, 5, 6].map((count) => repeatsQuery(count, busy))).toEqual([true, true, true, true, false])
  expect([0, 1, 2].map((count) => repeatsQuery(count, databaseAway))).toEqual([true, true, false])
  expect(repeatsQuery(0, refused)).toBe(false)
})

it('repeats a change only when the server says that it did nothing', () => {
  expect([busy, databaseAway, refused, new Error('other')].map((error) => repeatsMutation(0, error))).toEqual([true, false, false, false])
})

it('waits as long as the server asks, and up to half as long again', () => {
  expect([retryDelayMs(0, busy, () => 0), retryDelayMs(0, busy, () => 1)]).toEqual([1000, 1500])
  expect(retryDelayMs(2, databaseAway, () => 0)).toBe(4000)
})
