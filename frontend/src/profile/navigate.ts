import { type Graph, NO_ROW } from './graph'

export type Step = 'caller' | 'callee' | 'previous' | 'next'

/** The row that an arrow key selects, or the same row at an edge. `callee` selects the widest callee. */
export function step(graph: Graph, row: number, direction: Step): number {
  if (row === NO_ROW) return graph.size > 0 ? widest(siblingsOf(graph, 0), graph) : NO_ROW
  if (direction === 'caller') return graph.parent[row] === NO_ROW ? row : (graph.parent[row] ?? row)
  if (direction === 'callee') {
    const callees = childrenOf(graph, row)
    return callees.length > 0 ? widest(callees, graph) : row
  }
  const siblings = siblingsOf(graph, row)
  const at = siblings.indexOf(row)
  return siblings[at + (direction === 'next' ? 1 : -1)] ?? row
}

/** The callees of a row; the outermost rows for `NO_ROW`. */
export function childrenOf(graph: Graph, row: number): number[] {
  if (row === NO_ROW) return rowsBetween(graph, 0, graph.size)
  return rowsBetween(graph, row + 1, graph.end[row] ?? row + 1)
}

function siblingsOf(graph: Graph, row: number): number[] {
  const above = graph.parent[row] ?? NO_ROW
  return childrenOf(graph, above)
}

function rowsBetween(graph: Graph, first: number, last: number): number[] {
  const rows: number[] = []
  for (let row = first; row < last; row = graph.end[row] || row + 1) rows.push(row)
  return rows
}

function widest(rows: readonly number[], graph: Graph): number {
  return rows.reduce((best, row) => ((graph.width[row] ?? 0) > (graph.width[best] ?? 0) ? row : best), rows[0] ?? NO_ROW)
}
