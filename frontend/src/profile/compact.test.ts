import { expect, it } from 'vitest'
import { type CompactColumns, expand } from './compact'
import { graphOf, indexGraph, parcelOf } from './graph'

/** main 3 (self 1) → read 2; idle 5, all of it in pruned callees. Weights in steps of 10. */
const compact: CompactColumns = {
  event: 'cycles', unit: 'samples', total_weight: 80, total_samples: 8, names: ['main', 'read', 'idle'], kinds: ['user', 'kernel', 'kernel'],
  depth: [0, 1, 0], frame: [0, 1, 2], node: [4, 3, -5], self: [1, 2, 0], total: [], rest: [0, 0, 5], step: 10, compact: true, pruned_nodes: 1,
}

it('restores totals from self weights and pruned weights', () => {
  const { node, self, total } = expand(compact)
  expect([Array.from(node), Array.from(self), Array.from(total)]).toEqual([[4, 7, 2], [10, 20, 0], [30, 20, 50]])
})

it('has widths in proportion to the totals', () => {
  expect(Array.from(indexGraph(expand(compact)).width)).toEqual([0.375, 0.25, 0.625])
})

it('returns other columns unchanged', () => {
  const plain = expand(compact)
  expect(expand(plain)).toBe(plain)
})

it('round-trips through a worker message', () => {
  const graph = indexGraph(expand(compact))
  const { parcel, buffers } = parcelOf(graph)
  expect(parcel.graph.columns.kinds).toEqual([])
  expect(graphOf(structuredClone(parcel, { transfer: buffers })).columns.kinds).toEqual(['user', 'kernel', 'kernel'])
  expect(graph.width).toHaveLength(0)
})
