/** The buckets of one histogram; the first may have no lower bound (null), the last no upper bound. */
export type Buckets = { lows: readonly (number | null)[]; highs: readonly (number | null)[]; values: readonly number[] }

/**
 * Aligns histograms to the union of their buckets.
 *
 * `edges` are the sorted lower bounds, `-Infinity` for none. A missing bucket is 0, or the previous value when
 * cumulative. The buckets of one tool are steps of one scale, so none is split.
 */
export function alignHistograms(all: readonly Buckets[], isCumulative: boolean): { edges: number[]; lines: number[][] } {
  const lowerBounds = [...new Set(all.flatMap(({ lows }) => lows.map(lowEdge)))].toSorted((a, b) => a - b)
  const doubles = all.every(({ lows, highs }) => lows.every((low, at) => (low ?? 0) <= 1 || highs[at] === null || highs[at] === 2 * (low ?? 0)))
  const edges = doubles ? lowerBounds.flatMap((low, at) => withDoublings(low, lowerBounds[at + 1])) : lowerBounds
  const lines = all.map(({ lows, values }) => {
    const at = new Map(lows.map((low, index) => [lowEdge(low), values[index] ?? 0]))
    let previous = 0
    return edges.map((low) => {
      const value = at.get(low) ?? (isCumulative ? previous : 0)
      previous = value
      return value
    })
  })
  return { edges, lines }
}

const lowEdge = (low: number | null) => low ?? -Infinity

/** An edge and its doublings below the next edge: gaps between power-of-two buckets stay visible on the axis. */
function withDoublings(low: number, next: number | undefined): number[] {
  const steps = low > 0 && next !== undefined ? Math.max(1, Math.ceil(Math.log2(next / low))) : 1
  return Array.from({ length: steps }, (_, at) => low * 2 ** at)
}
