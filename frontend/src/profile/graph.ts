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
  /** Of an inverted graph: a leaf node of the row's stacks; together with the depth it identifies the row. */
  leaf?: ArrayLike<number>
  /** Of a graph by command: the stack nodes that a row of kind `nameless` stands for; 0 for the others. */
  joined?: ArrayLike<number>
  /** Of a graph in time order: the weight before each row, and the samples it spans. */
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
 * A graph indexed for drawing and search; plain typed arrays, transferable from a worker.
 *
 * A *row* is an index into the columns; a *node* is the server's id, which citations use.
 * `start` and `width` are fractions of the whole graph, 0 to 1; `end` is the row after the last descendant; `colour` is the index of each name in `kindColours`.
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

/** Derives parents, subtree ends and left edges from preorder and depth, in one pass. */
export function indexGraph(wire: GraphColumns): Graph {
  const columns: TypedColumns = {
    ...wire,
    depth: Int32Array.from(wire.depth),
    frame: Int32Array.from(wire.frame),
    self: Float64Array.from(wire.self),
    node: Int32Array.from(wire.node),
    total: Float64Array.from(wire.total),
    ...(wire.joined && { joined: Int32Array.from(wire.joined) }),
  }
  const size = columns.depth.length
  const parent = new Int32Array(size).fill(NO_ROW)
  const end = new Int32Array(size)
  const start = new Float64Array(size)
  const width = new Float64Array(size)
  const filled = new Float64Array(size)
  const totalWeight = columns.total_weight || 1
  const open: number[] = []
  let rootEdge = 0
  let maxDepth = 0
  const shallowest = columns.depth[0] ?? 0

  for (let row = 0; row < size; row++) {
    const depth = (columns.depth[row] ?? 0) - shallowest
    while (open.length > depth) end[open.pop() as number] = row
    const above = open[open.length - 1] ?? NO_ROW
    const share = (columns.total[row] ?? 0) / totalWeight
    width[row] = share
    parent[row] = above
    if (wire.start) start[row] = (wire.start[row] ?? 0) / totalWeight
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

/** A graph as a worker message; kinds are numbers, because strings are copied by structured cloning. */
export type Parcel = { graph: Graph; kinds: Uint8Array }

/** The message of a graph, and its transferable buffers. */
export function parcelOf(graph: Graph): { parcel: Parcel; buffers: ArrayBuffer[] } {
  const { columns, parent, end, start, width, colour } = graph
  const kinds = kindCodes(columns.kinds)
  const arrays = [columns.depth, columns.frame, columns.self, columns.node, columns.total, parent, end, start, width, colour, kinds]
  return { parcel: { graph: { ...graph, columns: { ...columns, kinds: [] } }, kinds }, buffers: arrays.map((array) => array.buffer as ArrayBuffer) }
}

/** The graph of a worker message. */
export function graphOf<Result extends Graph>({ graph, kinds }: Parcel): Result {
  return { ...graph, columns: { ...graph.columns, kinds: kindsOfCodes(kinds) } } as Result
}

export function depthOf(graph: Graph, row: number): number {
  return (graph.columns.depth[row] ?? 0) - (graph.columns.depth[0] ?? 0)
}

export function nameOf(graph: Graph, row: number): string {
  return graph.columns.names[graph.columns.frame[row] ?? -1] ?? ''
}

/** The name of a row for people: joined frames with their number. */
export function labelOf(graph: Graph, row: number): string {
  const joined = graph.columns.joined?.[row] ?? 0
  if (joined === 0) return nameOf(graph, row)
  return joined === 1 ? '1 user frame without symbol' : `${joined.toLocaleString('en')} user frames without symbols`
}

export function kindOf(graph: Graph, row: number): string {
  return graph.columns.kinds[graph.columns.frame[row] ?? -1] ?? 'unknown'
}

export function nodeOf(graph: Graph, row: number): number {
  return graph.columns.node[row] ?? NO_ROW
}

/** The row of the command of a row, or `NO_ROW` in a graph without commands. */
export function commandRow(graph: Graph, row: number): number {
  let at = row
  while (at !== NO_ROW && graph.parent[at] !== NO_ROW) at = graph.parent[at] ?? NO_ROW
  return at !== NO_ROW && kindOf(graph, at) === 'command' ? at : NO_ROW
}

/** The rows of one of the server's nodes: one for each command that passes through it. */
function rowsOfNode(graph: Graph, node: number): number[] {
  const rows: number[] = []
  for (let row = graph.columns.node.indexOf(node); row >= 0; row = graph.columns.node.indexOf(node, row + 1)) rows.push(row)
  return rows
}

/** The row of one of the server's nodes in a command, by default the widest; `NO_ROW` when it is not in this graph. */
export function rowOfNode(graph: Graph, node: number, command: string | null = null): number {
  const rows = rowsOfNode(graph, node)
  const inCommand = command === null ? undefined : rows.find((row) => nameOf(graph, commandRow(graph, row)) === command)
  return inCommand ?? rows.reduce((best, row) => ((graph.width[row] ?? 0) > (graph.width[best] ?? -1) ? row : best), NO_ROW)
}

/** The command that tells a row from other rows of its node; null where the node is in one row. */
export function commandOf(graph: Graph, row: number): string | null {
  const at = rowsOfNode(graph, nodeOf(graph, row)).length > 1 ? commandRow(graph, row) : NO_ROW
  return at === NO_ROW ? null : nameOf(graph, at)
}

/** The rows of many nodes, in preorder. */
export function rowsOfNodes(graph: Graph, nodes: ReadonlySet<number>): number[] {
  const rows: number[] = []
  for (let row = 0; row < graph.size && nodes.size > 0; row++) if (nodes.has(graph.columns.node[row] ?? NO_ROW)) rows.push(row)
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

/** The row of a stack given by names, or `NO_ROW`; names are stable, node ids are not. A stack without its command is found in the widest. */
export function rowOfStack(graph: Graph, names: readonly string[]): number {
  const exact = rowBelow(graph, names, 0, graph.size)
  if (exact !== NO_ROW) return exact
  let best = NO_ROW
  for (let row = 0; row < graph.size; row = graph.end[row] || row + 1) {
    if (kindOf(graph, row) !== 'command') continue
    const found = rowBelow(graph, names, row + 1, graph.end[row] ?? row + 1)
    if (found !== NO_ROW && (graph.width[found] ?? 0) > (graph.width[best] ?? -1)) best = found
  }
  return best
}

function rowBelow(graph: Graph, names: readonly string[], from: number, to: number): number {
  let result = NO_ROW
  let [first, last] = [from, to]
  for (const name of names) {
    let row = first
    while (row < last && nameOf(graph, row) !== name) row = graph.end[row] || row + 1
    if (row >= last) return NO_ROW
    result = row
    ;[first, last] = [row + 1, graph.end[row] ?? row + 1]
  }
  return result
}

/** The cited nodes on the path to `row`, itself included: their conditions apply to `row`. */
export function citedAtOrAbove(graph: Graph, row: number, nodes: ReadonlySet<number>): number[] {
  return pathTo(graph, row)
    .map((at) => nodeOf(graph, at))
    .filter((node) => nodes.has(node))
}
