/** Stack nodes in preorder, as columns of one length N; `frame` indexes `names` and `kinds`. */
export type GraphColumns = {
  event: string
  unit: string
  total_weight: number
  total_samples: number
  names: string[]
  kinds: string[]
  depth: number[]
  frame: number[]
  self: number[]
  node: number[]
  total: number[]
  pruned_nodes: number
}

/**
 * A graph with what drawing and searching need, derived once.
 *
 * A *row* is an index into the columns; a *node* is the server's id, the one that citations name.
 * `start` and `width` are fractions of the whole graph, 0 to 1; `end` is the row after the last one below.
 */
export type Graph = {
  columns: GraphColumns
  size: number
  parent: Int32Array
  end: Int32Array
  start: Float64Array
  width: Float64Array
  maxDepth: number
  rowOfNode: Map<number, number>
}

export const NO_ROW = -1

/** Preorder and depth say everything: parents, subtree ends and left edges follow in one pass. */
export function indexGraph(columns: GraphColumns): Graph {
  const size = columns.depth.length
  const parent = new Int32Array(size).fill(NO_ROW)
  const end = new Int32Array(size)
  const start = new Float64Array(size)
  const width = new Float64Array(size)
  const rowOfNode = new Map<number, number>()
  const whole = columns.total_weight || 1
  const open: number[] = []
  const filled: number[] = []
  let rootEdge = 0
  let maxDepth = 0
  const shallowest = columns.depth[0] ?? 0

  for (let row = 0; row < size; row++) {
    const depth = (columns.depth[row] ?? 0) - shallowest
    while (open.length > depth) end[open.pop() as number] = row
    const above = open[open.length - 1] ?? NO_ROW
    width[row] = (columns.total[row] ?? 0) / whole
    parent[row] = above
    if (above === NO_ROW) {
      start[row] = rootEdge
      rootEdge += width[row] ?? 0
    } else {
      start[row] = (start[above] ?? 0) + (filled[above] ?? 0)
      filled[above] = (filled[above] ?? 0) + (width[row] ?? 0)
    }
    filled[row] = 0
    open.push(row)
    rowOfNode.set(columns.node[row] ?? row, row)
    if (depth > maxDepth) maxDepth = depth
  }
  while (open.length > 0) end[open.pop() as number] = size
  return { columns, size, parent, end, start, width, maxDepth, rowOfNode }
}

export function depthOf(graph: Graph, row: number): number {
  return (graph.columns.depth[row] ?? 0) - (graph.columns.depth[0] ?? 0)
}

export function nameOf(graph: Graph, row: number): string {
  return graph.columns.names[graph.columns.frame[row] ?? -1] ?? ''
}

export function kindOf(graph: Graph, row: number): string {
  return graph.columns.kinds[graph.columns.frame[row] ?? -1] ?? 'unknown'
}

export function nodeOf(graph: Graph, row: number): number {
  return graph.columns.node[row] ?? NO_ROW
}

/** From the outermost caller to `row` itself. */
export function pathTo(graph: Graph, row: number): number[] {
  const path: number[] = []
  for (let at = row; at !== NO_ROW; at = graph.parent[at] ?? NO_ROW) path.push(at)
  return path.toReversed()
}

/** Those of `nodes` that are `row` or lie above it: a condition that completes there holds for `row`. */
export function citedAtOrAbove(graph: Graph, row: number, nodes: ReadonlySet<number>): number[] {
  return pathTo(graph, row)
    .map((at) => nodeOf(graph, at))
    .filter((node) => nodes.has(node))
}
