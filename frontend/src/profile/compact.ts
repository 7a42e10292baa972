import type { GraphColumns } from './graph'

/**
 * A compact encoding of graph columns: node ids as deltas, weights in units of `step`, and `rest` instead of totals:
 * the weight of the pruned callees of each row. total = self + rest + totals of the callees.
 */
export type CompactColumns = GraphColumns & { compact: true; step: number; rest: ArrayLike<number> }

/** Decodes compact columns; other columns are returned as they are. */
export function expand(columns: GraphColumns | CompactColumns): GraphColumns {
  if (!('compact' in columns) || !columns.compact) return columns
  const { rest, step, compact: _, ...others } = columns
  const size = columns.depth.length
  const [node, self, total] = [new Int32Array(size), new Float64Array(size), new Float64Array(size)]
  let last = 0
  for (let row = 0; row < size; row++) {
    node[row] = last += columns.node[row] ?? 0
    self[row] = (columns.self[row] ?? 0) * step
  }
  const below: number[] = []
  for (let row = size - 1; row >= 0; row--) {
    const depth = columns.depth[row] ?? 0
    const weight = (self[row] ?? 0) + (rest[row] ?? 0) * step + (below[depth + 1] ?? 0)
    total[row] = weight
    below[depth + 1] = 0
    below[depth] = (below[depth] ?? 0) + weight
  }
  return { ...others, node, self, total }
}
