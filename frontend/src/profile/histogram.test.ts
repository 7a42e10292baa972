import { expect, it } from 'vitest'
import { overlaid } from './histogram'

const fast = { lows: [1, 2, 4], highs: [2, 4, 8], values: [5, 3, 2] }
const slow = { lows: [4, 8], highs: [8, null], values: [1, 9] }

it('lays histograms over the same buckets', () => {
  expect(overlaid([fast, slow], false)).toEqual({ edges: [1, 2, 4, 8], lines: [[5, 3, 2, 0], [0, 0, 1, 9]] })
})

it('keeps what is cumulated where a histogram has no bucket', () => {
  expect(overlaid([{ ...fast, values: [0.5, 0.8, 1] }, { ...slow, values: [0.1, 1] }], true).lines).toEqual([[0.5, 0.8, 1, 1], [0, 0, 0.1, 1]])
})

it('leaves room on the axis for doubling buckets that nobody has', () => {
  const far = { lows: [32], highs: [64], values: [7] }
  expect(overlaid([fast, far], false).edges).toEqual([1, 2, 4, 8, 16, 32])
})
