import { type Graph, indexGraph } from './graph'

/** Two profiles merged into one tree by the server: weights of A and B in preorder, each in its own unit. */
export type DifferenceColumns = {
  event: string
  total_a: number
  total_b: number
  names: string[]
  kinds: string[]
  depth: ArrayLike<number>
  frame: ArrayLike<number>
  weight_a: ArrayLike<number>
  weight_b: ArrayLike<number>
  self_a: ArrayLike<number>
  self_b: ArrayLike<number>
  node_a: ArrayLike<number>
  node_b: ArrayLike<number>
  pruned_nodes: number
}

/** The width of boxes: the mean of both shares, which shows frames of only one side too, or the share of one side. */
export type WidthBy = 'both' | 'a' | 'b'

/** A graph of shares; `a` and `b` are the shares of every row in each profile, 0 to 1. */
export type DifferenceGraph = { graph: Graph; a: Float64Array; b: Float64Array; selfA: Float64Array; selfB: Float64Array }

const sharesOf = (weights: ArrayLike<number>, total: number) => Float64Array.from(weights, (weight) => (total > 0 ? weight / total : 0))

export function differenceGraph(columns: DifferenceColumns, by: WidthBy): DifferenceGraph {
  const [a, b] = [sharesOf(columns.weight_a, columns.total_a), sharesOf(columns.weight_b, columns.total_b)]
  const [selfA, selfB] = [sharesOf(columns.self_a, columns.total_a), sharesOf(columns.self_b, columns.total_b)]
  const width = (one: Float64Array, other: Float64Array) => (by === 'a' ? one : by === 'b' ? other : one.map((share, row) => (share + (other[row] ?? 0)) / 2))
  const graph = indexGraph({
    event: columns.event,
    unit: 'share',
    total_weight: 1,
    total_samples: 1,
    names: columns.names,
    kinds: columns.kinds,
    depth: columns.depth,
    frame: columns.frame,
    self: width(selfA, selfB),
    total: width(a, b),
    node: Int32Array.from(columns.node_b, (node, row) => (node >= 0 ? 2 * node + 1 : 2 * (columns.node_a[row] ?? 0))),
    pruned_nodes: columns.pruned_nodes,
  })
  return { graph, a, b, selfA, selfB }
}

/** A function with its self share in A and B, summed over all its rows. */
export type ChangedFunction = { name: string; kind: string; a: number; b: number }

/** The functions whose self share changed, largest change first. */
export function changedFunctions({ graph, selfA, selfB }: DifferenceGraph): ChangedFunction[] {
  const { names, kinds, frame } = graph.columns
  const functions = names.map((name, at) => ({ name, kind: kinds[at] ?? 'unknown', a: 0, b: 0 }))
  for (let row = 0; row < graph.size; row++) {
    const entry = functions[frame[row] ?? 0]
    if (!entry) continue
    entry.a += selfA[row] ?? 0
    entry.b += selfB[row] ?? 0
  }
  return functions.filter(({ a, b }) => a !== b).toSorted((one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a))
}
