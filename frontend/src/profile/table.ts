import type { Graph } from './graph'

/** One function aggregated over all callers; weights in the unit of the graph. */
export type FrameWeights = { frame: number; name: string; kind: string; self: number; total: number }

/** Self and total weight of every function, recursion counted once. */
export function frameWeights(graph: Graph): FrameWeights[] {
  const { names, kinds, frame, self, total } = graph.columns
  const selfOf = new Float64Array(names.length)
  const totalOf = new Float64Array(names.length)
  const openUntil = new Int32Array(names.length)
  for (let row = 0; row < graph.size; row++) {
    const at = frame[row] ?? 0
    selfOf[at] = (selfOf[at] ?? 0) + (self[row] ?? 0)
    if (row < (openUntil[at] ?? 0)) continue
    totalOf[at] = (totalOf[at] ?? 0) + (total[row] ?? 0)
    openUntil[at] = graph.end[row] ?? 0
  }
  return names.map((name, at) => ({ frame: at, name, kind: kinds[at] ?? 'unknown', self: selfOf[at] ?? 0, total: totalOf[at] ?? 0 }))
}

/** Weights, shares of the total, and samples of one box. */
export type BoxWeights = { self: number; total: number; selfShare: number; totalShare: number; samples: number | null }

export function boxWeights(graph: Graph, row: number): BoxWeights {
  const { total_weight, total_samples } = graph.columns
  const self = graph.columns.self[row] ?? 0
  const total = graph.columns.total[row] ?? 0
  const totalWeight = total_weight || 1
  return { self, total, selfShare: self / totalWeight, totalShare: total / totalWeight, samples: graph.columns.unit === 'samples' ? total : total_samples === total_weight ? total : null }
}
