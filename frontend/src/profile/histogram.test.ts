import { expect, it } from 'vitest'
import { alignHistograms } from './histogram'

const fast = { lows: [1, 2, 4], highs: [2, 4, 8], values: [5, 3, 2] }
const slow = { lows: [4, 8], highs: [8, null], values: [1, 9] }

it('aligns histograms to the same buckets', () => {
  expect(alignHistograms([fast, slow], false)).toEqual({ edges: [1, 2, 4, 8], lines: [[5, 3, 2, 0], [0, 0, 1, 9]] })
})

it('repeats the cumulative value for a missing bucket', () => {
  expect(alignHistograms([{ ...fast, values: [0.5, 0.8, 1] }, { ...slow, values: [0.1, 1] }], true).lines).toEqual([[0.5, 0.8, 1, 1], [0, 0, 0.1, 1]])
})

it('inserts missing power-of-two buckets', () => {
  const far = { lows: [32], highs: [64], values: [7] }
  expect(alignHistograms([fast, far], false).edges).toEqual([1, 2, 4, 8, 16, 32])
})
