import { childrenOf } from './navigate'
import { type Graph, kindOf, NO_ROW, nameOf } from './graph'

/** A row is gone into while it holds this share of what is looked for. */
const MOST = 0.8
const IDLE = /^(swapper|idle)\b/

/**
 * The row that a graph opens on: from the outermost row with the largest kernel weight, inwards while one callee has most of it.
 *
 * Idle CPUs do not count. Cited rows, when there are any, are looked for instead of kernel weight; without both, all weight.
 * `NO_ROW` only for an empty graph.
 */
export function openingRow(graph: Graph, cited: readonly number[]): number {
  const kernel = cited.length > 0 ? weightsOf(graph, cited) : kernelWeights(graph)
  const wanted = kernel.some((weight) => weight > 0) ? kernel : graph.width
  const outermost = childrenOf(graph, NO_ROW)
  let row = heaviest(outermost, wanted)
  const all = wanted[row] ?? 0
  const ends = new Set(cited)
  for (;;) {
    const next = heaviest(childrenOf(graph, row), wanted)
    // The innermost rows have nothing below them to look at.
    if (ends.has(row) || next === NO_ROW || (wanted[next] ?? 0) < all * MOST || (graph.end[next] ?? 0) === next + 1) return row
    row = next
  }
}

/** For each row, the width of the outermost kernel rows at and below it, except of idle CPUs. */
function kernelWeights(graph: Graph): Float64Array {
  const rows: number[] = []
  let row = 0
  while (row < graph.size) {
    const kind = kindOf(graph, row)
    const isIdle = kind === 'command' && IDLE.test(nameOf(graph, row))
    if (kind === 'kernel' || kind === 'module') rows.push(row)
    row = kind === 'kernel' || kind === 'module' || isIdle ? graph.end[row] || row + 1 : row + 1
  }
  return weightsOf(graph, rows)
}

/** For each row, the width of the given rows at and below it; of the given ones, outermost and in preorder, also for those inside. */
function weightsOf(graph: Graph, rows: readonly number[]): Float64Array {
  const weights = new Float64Array(graph.size)
  let end = -1
  for (const row of rows) {
    if (row < end) continue
    end = graph.end[row] || row + 1
    for (let inside = row; inside < end; inside++) weights[inside] = graph.width[inside] ?? 0
    for (let at = graph.parent[row] ?? NO_ROW; at !== NO_ROW; at = graph.parent[at] ?? NO_ROW) weights[at] = (weights[at] ?? 0) + (graph.width[row] ?? 0)
  }
  return weights
}

function heaviest(rows: readonly number[], weights: Float64Array): number {
  return rows.reduce((best, row) => ((weights[row] ?? 0) > (weights[best] ?? 0) ? row : best), NO_ROW)
}
