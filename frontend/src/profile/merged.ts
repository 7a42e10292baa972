import { type Graph, indexGraph } from './graph'

/** Two profiles over one tree, as the server joins them: weights of A and B in preorder, each in its own unit. */
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

/** How wide boxes are: by the mean of both shares, so that what is only in one of them is seen too, or by one side. */
export type WidthBy = 'both' | 'a' | 'b'

/** A graph whose weights are shares of two wholes; `a` and `b` are those of every row, 0 to 1. */
export type DifferenceGraph = { graph: Graph; a: Float64Array; b: Float64Array; selfA: Float64Array; selfB: Float64Array }

const sharesOf = (weights: ArrayLike<number>, whole: number) => Float64Array.from(weights, (weight) => (whole > 0 ? weight / whole : 0))

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

/** Functions by how much their own weight changed, the most first; of equal names the changes add up. */
export type ChangedFunction = { name: string; kind: string; a: number; b: number }

export function changedFunctions({ graph, selfA, selfB }: DifferenceGraph): ChangedFunction[] {
  const { names, kinds, frame } = graph.columns
  const found = names.map((name, at) => ({ name, kind: kinds[at] ?? 'unknown', a: 0, b: 0 }))
  for (let row = 0; row < graph.size; row++) {
    const one = found[frame[row] ?? 0]
    if (!one) continue
    one.a += selfA[row] ?? 0
    one.b += selfB[row] ?? 0
  }
  return found.filter(({ a, b }) => a !== b).toSorted((one, other) => Math.abs(other.b - other.a) - Math.abs(one.b - one.a))
}
