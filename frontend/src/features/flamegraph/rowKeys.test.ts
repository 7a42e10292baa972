import { expect, it } from 'vitest'
import { graft, indexGraph, NO_ROW } from '../../profile'
import { selectedRow, selectRow, zoomedRow, zoomToRow } from './rowKeys'
import { NO_GRAPH_STATE } from './types'

/** Two leaves, both called from node 1: their caller rows share that node. */
const columns = {
  event: 'cycles', unit: 'samples', total_weight: 3, total_samples: 3, names: ['read', 'main', 'write'], kinds: ['kernel', 'user', 'kernel'],
  depth: [0, 1, 0, 1], frame: [0, 1, 2, 1], self: [0, 2, 0, 1], node: [5, 1, 6, 1], total: [2, 2, 1, 1], leaf: [5, 5, 6, 6], pruned_nodes: 1,
}
const graph = indexGraph(columns)
const inverted = { ...NO_GRAPH_STATE, inverted: true }

it('identifies rows of an inverted graph that share a node', () => {
  for (const row of [0, 1, 2, 3]) {
    expect(selectedRow(graph, { ...inverted, ...selectRow(graph, inverted, row) })).toBe(row)
    expect(zoomedRow(graph, { ...inverted, ...zoomToRow(graph, inverted, row) })).toBe(row)
  }
})

it('uses node ids in a normal graph', () => {
  expect(selectRow(graph, NO_GRAPH_STATE, 2)).toEqual({ node: 6, at: null })
  expect(zoomedRow(graph, { ...NO_GRAPH_STATE, zoom: 6 })).toBe(2)
})

it('tells rows of one node apart by their command, and zooms out to the whole graph', () => {
  const shared = indexGraph({
    ...columns, names: ['perl', 'ruby', 'read'], kinds: ['command', 'command', 'kernel'], depth: [0, 1, 0, 1], frame: [0, 2, 1, 2], node: [9, 5, 10, 5], total: [2, 2, 1, 1], leaf: undefined as never,
  })
  for (const row of [1, 3]) {
    expect(selectedRow(shared, { ...NO_GRAPH_STATE, ...selectRow(shared, NO_GRAPH_STATE, row) })).toBe(row)
    expect(zoomedRow(shared, { ...NO_GRAPH_STATE, ...zoomToRow(shared, NO_GRAPH_STATE, row) })).toBe(row)
  }
  expect(selectedRow(shared, { ...NO_GRAPH_STATE, node: 5 })).toBe(1)
  expect(zoomToRow(shared, NO_GRAPH_STATE, NO_ROW)).toEqual({ zoom: null, isWhole: true })
})

it('ignores a key of another view', () => {
  expect(selectedRow(graph, { ...inverted, at: 'CPU 3@0.5' })).toBe(NO_ROW)
  expect(selectedRow(graph, inverted)).toBe(NO_ROW)
})

it('resolves keys after a subtree was grafted', () => {
  const below = { ...columns, names: ['read', 'main', 'start'], depth: [0, 1, 2], frame: [0, 1, 2], self: [0, 1, 1], node: [5, 1, 0], total: [2, 2, 1], leaf: [5, 5, 5] }
  const grown = indexGraph(graft(columns, 0, below))
  expect(selectedRow(grown, { ...inverted, at: '6.1' })).toBe(4)
  expect(selectedRow(grown, { ...inverted, at: '5.2' })).toBe(2)
})
