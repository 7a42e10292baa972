import { commandOf, depthOf, type Graph, NO_ROW, nodeOf, rowOfNode } from '../../profile'
import type { GraphState } from './types'

/**
 * Stable keys of graph rows for the URL. A row of a normal graph is identified by the server's node id; a row of an
 * inverted graph by a leaf node of its stacks and its depth, because many rows may have one node. A node that
 * several commands pass through has its command beside it.
 */
function rowKey(graph: Graph, row: number): string {
  return `${graph.columns.leaf?.[row] ?? nodeOf(graph, row)}.${depthOf(graph, row)}`
}

function rowOfKey(graph: Graph, key: string | null): number {
  const [leaf, depth] = (key ?? '').split('.').map(Number)
  const { leaf: leaves } = graph.columns
  if (key === null || !leaves) return NO_ROW
  for (let row = 0; row < graph.size; row++) if (leaves[row] === leaf && depthOf(graph, row) === depth) return row
  return NO_ROW
}

/** The row of the selected frame, or `NO_ROW`. */
export function selectedRow(graph: Graph, { inverted, node, at }: GraphState): number {
  if (inverted) return rowOfKey(graph, at)
  return node === null ? NO_ROW : rowOfNode(graph, node, at)
}

/** The row that is zoomed into, or `NO_ROW`. */
export function zoomedRow(graph: Graph, { inverted, zoom, into }: GraphState): number {
  if (inverted) return rowOfKey(graph, into)
  return zoom === null ? NO_ROW : rowOfNode(graph, zoom, into)
}

/** The state change that selects `row`. */
export function selectRow(graph: Graph, { inverted }: GraphState, row: number): Partial<GraphState> {
  if (inverted) return { at: row === NO_ROW ? null : rowKey(graph, row) }
  return row === NO_ROW ? { node: null } : { node: nodeOf(graph, row), at: commandOf(graph, row) }
}

/** The state change that zooms into `row`; `NO_ROW` is the whole graph. */
export function zoomToRow(graph: Graph, { inverted }: GraphState, row: number): Partial<GraphState> {
  if (inverted) return { into: row === NO_ROW ? null : rowKey(graph, row) }
  return row === NO_ROW ? { zoom: null, isWhole: true } : { zoom: nodeOf(graph, row), into: commandOf(graph, row), isWhole: false }
}
