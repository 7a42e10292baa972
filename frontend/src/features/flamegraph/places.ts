import { depthOf, type Graph, NO_ROW, nodeOf, rowOfNode } from '../../profile'
import type { GraphState } from './types'

/**
 * How rows of a graph stand in an address. A row of the usual one is the server's node; the rows of an inverted
 * one are told by where a stack of theirs ends, and by their depth: many may begin in one node.
 */
function placeOf(graph: Graph, row: number): string {
  return `${graph.columns.leaf?.[row] ?? nodeOf(graph, row)}.${depthOf(graph, row)}`
}

function rowOfPlace(graph: Graph, place: string | null): number {
  const [leaf, depth] = (place ?? '').split('.').map(Number)
  const { leaf: leaves } = graph.columns
  if (place === null || !leaves) return NO_ROW
  for (let row = 0; row < graph.size; row++) if (leaves[row] === leaf && depthOf(graph, row) === depth) return row
  return NO_ROW
}

export function selectedRow(graph: Graph, { inverted, node, at }: GraphState): number {
  if (inverted) return rowOfPlace(graph, at)
  return node === null ? NO_ROW : rowOfNode(graph, node)
}

export function zoomedRow(graph: Graph, { inverted, zoom, into }: GraphState): number {
  if (inverted) return rowOfPlace(graph, into)
  return zoom === null ? NO_ROW : rowOfNode(graph, zoom)
}

export function selecting(graph: Graph, { inverted }: GraphState, row: number): Partial<GraphState> {
  if (inverted) return { at: row === NO_ROW ? null : placeOf(graph, row) }
  return { node: row === NO_ROW ? null : nodeOf(graph, row) }
}

export function zooming(graph: Graph, { inverted }: GraphState, row: number): Partial<GraphState> {
  if (inverted) return { into: row === NO_ROW ? null : placeOf(graph, row) }
  return { zoom: row === NO_ROW ? null : nodeOf(graph, row) }
}
