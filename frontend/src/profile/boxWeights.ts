import type { Graph } from './graph'

/** Weights, shares of the total, and samples of one box. */
export type BoxWeights = { self: number; total: number; selfShare: number; totalShare: number; samples: number | null }

export function boxWeights(graph: Graph, row: number): BoxWeights {
  const { total_weight, total_samples } = graph.columns
  const self = graph.columns.self[row] ?? 0
  const total = graph.columns.total[row] ?? 0
  const totalWeight = total_weight || 1
  return { self, total, selfShare: self / totalWeight, totalShare: total / totalWeight, samples: graph.columns.unit === 'samples' ? total : total_samples === total_weight ? total : null }
}
