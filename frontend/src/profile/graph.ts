import { colourIndex, kindCodes, kindsOfCodes } from './kinds'

/** Stack nodes in preorder, as columns of one length N; `frame` indexes `names` and `kinds`. */
export type GraphColumns = {
  event: string
  unit: string
  total_weight: number
  total_samples: number
  names: string[]
  kinds: string[]
  depth: ArrayLike<number>
  frame: ArrayLike<number>
  self: ArrayLike<number>
  node: ArrayLike<number>
  total: ArrayLike<number>
  pruned_nodes: number
  /** Of an inverted graph: a node where a stack of the row ends; with the depth it names the row. */
  leaf?: ArrayLike<number>
  /** Of a graph in the order of time: weight before each row, and which samples it spans. */
  start?: ArrayLike<number>
  first_sample?: ArrayLike<number>
  last_sample?: ArrayLike<number>
}

type TypedColumns = Omit<GraphColumns, 'depth' | 'frame' | 'self' | 'node' | 'total'> & {
  depth: Int32Array
  frame: Int32Array
  self: Float64Array
  node: Int32Array
  total: Float64Array
}

/**
 * A graph with what drawing and searching need, derived once; plain typed arrays, so that a worker can hand it over.
 *
 * A *row* is an index into the columns; a *node* is the server's id, the one that citations name.
 * `start` and `width` are fractions of the whole graph, 0 to 1; `end` is the row after the last one below; `colour` is that of each name, as `kindColours` counts them.
 */
export type Graph = {
  columns: TypedColumns
  size: number
  parent: Int32Array
  end: Int32Array
  start: Float64Array
  width: Float64Array
  colour: Uint8Array
  maxDepth: number
}

export const NO_ROW = -1

/** Preorder and depth say everything: parents, subtree ends and left edges follow in one pass. */
export function indexGraph(wire: GraphColumns): Graph {
  const columns: TypedColumns = {
    ...wire,
    depth: Int32Array.from(wire.depth),
    frame: Int32Array.from(wire.frame),
    self: Float64Array.from(wire.self),
    node: Int32Array.from(wire.node),
    total: Float64Array.from(wire.total),
  }
  const size = columns.depth.length
  const parent = new Int32Array(size).fill(NO_ROW)
  const end = new Int32Array(size)
  const start = new Float64Array(size)
  const width = new Float64Array(size)
  const filled = new Float64Array(size)
  const whole = columns.total_weight || 1
  const open: number[] = []
  let rootEdge = 0
  let maxDepth = 0
  const shallowest = columns.depth[0] ?? 0

  for (let row = 0; row < size; row++) {
    const depth = (columns.depth[row] ?? 0) - shallowest
    while (open.length > depth) end[open.pop() as number] = row
    const above = open[open.length - 1] ?? NO_ROW
    const share = (columns.total[row] ?? 0) / whole
    width[row] = share
    parent[row] = above
    if (wire.start) start[row] = (wire.start[row] ?? 0) / whole
    else if (above === NO_ROW) {
      start[row] = rootEdge
      rootEdge += share
    } else {
      start[row] = (start[above] ?? 0) + (filled[above] ?? 0)
      filled[above] = (filled[above] ?? 0) + share
    }
    open.push(row)
    if (depth > maxDepth) maxDepth = depth
  }
  while (open.length > 0) end[open.pop() as number] = size
  const colour = Uint8Array.from(columns.names, (name, at) => colourIndex(name, columns.kinds[at] ?? ''))
  return { columns, size, parent, end, start, width, colour, maxDepth }
}

/** A graph on its way out of a worker: the kinds as numbers, since every text of a message is made anew by the page. */
export type Parcel = { graph: Graph; kinds: Uint8Array }

/** What a worker sends, and what of it is handed over without copying. */
export function parcelOf(graph: Graph): { parcel: Parcel; buffers: ArrayBuffer[] } {
  const { columns, parent, end, start, width, colour } = graph
  const kinds = kindCodes(columns.kinds)
  const arrays = [columns.depth, columns.frame, columns.self, columns.node, columns.total, parent, end, start, width, colour, kinds]
  return { parcel: { graph: { ...graph, columns: { ...columns, kinds: [] } }, kinds }, buffers: arrays.map((array) => array.buffer as ArrayBuffer) }
}

/** The graph that a worker sent. */
export function graphOf<Told extends Graph>({ graph, kinds }: Parcel): Told {
  return { ...graph, columns: { ...graph.columns, kinds: kindsOfCodes(kinds) } } as Told
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

/** The row of one of the server's nodes, or `NO_ROW` when it is not in this graph. */
export function rowOfNode(graph: Graph, node: number): number {
  return graph.columns.node.indexOf(node)
}

/** The rows of many nodes, in preorder. */
export function rowsOfNodes(graph: Graph, nodes: ReadonlySet<number>): number[] {
  const rows: number[] = []
  for (let row = 0; row < graph.size && rows.length < nodes.size; row++) if (nodes.has(graph.columns.node[row] ?? NO_ROW)) rows.push(row)
  return rows
}

/** From the outermost caller to `row` itself. */
export function pathTo(graph: Graph, row: number): number[] {
  const path: number[] = []
  for (let at = row; at !== NO_ROW; at = graph.parent[at] ?? NO_ROW) path.push(at)
  return path.toReversed()
}

/** The names from the outermost caller to `row` itself. */
export function stackOf(graph: Graph, row: number): string[] {
  return pathTo(graph, row).map((at) => nameOf(graph, at))
}

/** The row that a path of names leads to, or `NO_ROW`: names outlive the numbers of nodes. */
export function rowOfStack(graph: Graph, names: readonly string[]): number {
  let found = NO_ROW
  let [first, last] = [0, graph.size]
  for (const name of names) {
    let row = first
    while (row < last && nameOf(graph, row) !== name) row = graph.end[row] || row + 1
    if (row >= last) return NO_ROW
    found = row
    ;[first, last] = [row + 1, graph.end[row] ?? row + 1]
  }
  return found
}

/** Those of `nodes` that are `row` or lie above it: a condition that completes there holds for `row`. */
export function citedAtOrAbove(graph: Graph, row: number, nodes: ReadonlySet<number>): number[] {
  return pathTo(graph, row)
    .map((at) => nodeOf(graph, at))
    .filter((node) => nodes.has(node))
}
