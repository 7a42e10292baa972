import type { GraphColumns } from './graph'

/**
 * Rows in fewer bytes: nodes as differences, weights in steps, and instead of totals what was left out right
 * below each row. A total is then what the row has itself, what was left out, and the totals of its callees.
 */
export type CompactColumns = GraphColumns & { compact: true; step: number; rest: ArrayLike<number> }

/** The columns as they are drawn, whether or not they came compact. */
export function expand(columns: GraphColumns | CompactColumns): GraphColumns {
  if (!('compact' in columns) || !columns.compact) return columns
  const { rest, step, compact: _, ...kept } = columns
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
  return { ...kept, node, self, total }
}
