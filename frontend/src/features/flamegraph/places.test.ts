import { expect, it } from 'vitest'
import { graft, indexGraph, NO_ROW } from '../../profile'
import { selectedRow, selecting, zoomedRow, zooming } from './places'
import { NO_GRAPH_STATE } from './types'

/** Two leaves, both called from node 1: what stands above them begins in the same node. */
const columns = {
  event: 'cycles', unit: 'samples', total_weight: 3, total_samples: 3, names: ['read', 'main', 'write'], kinds: ['kernel', 'user', 'kernel'],
  depth: [0, 1, 0, 1], frame: [0, 1, 2, 1], self: [0, 2, 0, 1], node: [5, 1, 6, 1], total: [2, 2, 1, 1], leaf: [5, 5, 6, 6], pruned_nodes: 1,
}
const graph = indexGraph(columns)
const inverted = { ...NO_GRAPH_STATE, inverted: true }

it('finds the row of an inverted graph that was meant, though others begin in the same node', () => {
  for (const row of [0, 1, 2, 3]) {
    expect(selectedRow(graph, { ...inverted, ...selecting(graph, inverted, row) })).toBe(row)
    expect(zoomedRow(graph, { ...inverted, ...zooming(graph, inverted, row) })).toBe(row)
  }
})

it('names nodes where each has one row, so that citations and links mean the same', () => {
  expect(selecting(graph, NO_GRAPH_STATE, 2)).toEqual({ node: 6 })
  expect(zoomedRow(graph, { ...NO_GRAPH_STATE, zoom: 6 })).toBe(2)
})

it('takes a place of another view for none', () => {
  expect(selectedRow(graph, { ...inverted, at: 'CPU 3@0.5' })).toBe(NO_ROW)
  expect(selectedRow(graph, inverted)).toBe(NO_ROW)
})

it('keeps places where a subtree was put in', () => {
  const below = { ...columns, names: ['read', 'main', 'start'], depth: [0, 1, 2], frame: [0, 1, 2], self: [0, 1, 1], node: [5, 1, 0], total: [2, 2, 1], leaf: [5, 5, 5] }
  const grown = indexGraph(graft(columns, 0, below))
  expect(selectedRow(grown, { ...inverted, at: '6.1' })).toBe(4)
  expect(selectedRow(grown, { ...inverted, at: '5.2' })).toBe(2)
})
