/** Values of the buckets of one histogram; null where the first one has no beginning, or the last one no end. */
export type Buckets = { lows: readonly (number | null)[]; highs: readonly (number | null)[]; values: readonly number[] }

/**
 * Several histograms over the same buckets, so that they can be laid over each other.
 *
 * `edges` are the lower edges of every bucket that any of them has, in order, `-Infinity` for none; buckets that one does not have are
 * 0, or, where values are cumulated, what stood before them. The buckets of one tool are steps of one scale, so
 * none is ever split.
 */
export function overlaid(all: readonly Buckets[], isCumulative: boolean): { edges: number[]; lines: number[][] } {
  const known = [...new Set(all.flatMap(({ lows }) => lows.map(lowEdge)))].toSorted((a, b) => a - b)
  const doubles = all.every(({ lows, highs }) => lows.every((low, at) => (low ?? 0) <= 1 || highs[at] === null || highs[at] === 2 * (low ?? 0)))
  const edges = doubles ? known.flatMap((low, at) => withDoublings(low, known[at + 1])) : known
  const lines = all.map(({ lows, values }) => {
    const at = new Map(lows.map((low, place) => [lowEdge(low), values[place] ?? 0]))
    let before = 0
    return edges.map((low) => {
      const value = at.get(low) ?? (isCumulative ? before : 0)
      before = value
      return value
    })
  })
  return { edges, lines }
}

const lowEdge = (low: number | null) => low ?? -Infinity

/** An edge, and those that double it below the next one: a gap of the evidence is a gap on the axis. */
function withDoublings(low: number, next: number | undefined): number[] {
  const steps = low > 0 && next !== undefined ? Math.max(1, Math.ceil(Math.log2(next / low))) : 1
  return Array.from({ length: steps }, (_, at) => low * 2 ** at)
}
