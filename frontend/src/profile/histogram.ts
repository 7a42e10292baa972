/** Counts of values between bounds: bucket `at` holds `bounds[at] <= value < bounds[at + 1]`; the last bound may be missing. */
export type Histogram = { name: string; unit: string; bounds: number[]; counts: number[] }

/** Share of all values that lie below the upper edge of each bucket; all 0 when nothing was counted. */
export function cumulativeShares({ counts }: Histogram): number[] {
  const whole = counts.reduce((sum, value) => sum + value, 0) || 1
  let sum = 0
  return counts.map((value) => (sum += value) / whole)
}

export type Between = { from: number; to: number }

/** The bucket that holds a percentile (`share` 0 to 1): all that a histogram knows of it. Null of an empty one. */
export function percentile(histogram: Histogram, share: number): Between | null {
  const whole = histogram.counts.reduce((sum, value) => sum + value, 0)
  if (whole === 0) return null
  let sum = 0
  for (const [at, value] of histogram.counts.entries()) {
    sum += value
    if (value > 0 && sum >= share * whole) return bucket(histogram, at)
  }
  return null
}

/** Edges of a bucket; the last one of an open histogram ends at infinity. */
export function bucket({ bounds }: Histogram, at: number): Between {
  return { from: bounds[at] ?? 0, to: bounds[at + 1] ?? Infinity }
}

/**
 * The least share of all time (or bytes) that each bucket can stand for, and the most: a rare slow call may
 * weigh more than all quick ones. Counts times the lower and the upper edge, against the other edges of the rest.
 */
export function weightShares(histogram: Histogram): { least: number; most: number }[] {
  const low = histogram.counts.map((value, at) => value * bucket(histogram, at).from)
  const high = histogram.counts.map((value, at) => {
    const { from, to } = bucket(histogram, at)
    return value * (Number.isFinite(to) ? to : from * 2)
  })
  const [allLow, allHigh] = [low, high].map((values) => values.reduce((sum, value) => sum + value, 0)) as [number, number]
  return low.map((value, at) => {
    const upper = high[at] ?? 0
    const least = value / (value + allHigh - upper || 1)
    const most = upper / (upper + allLow - value || 1)
    return { least, most }
  })
}

/** Do the buckets double, as log2 histograms do? */
export function isLogarithmic({ bounds }: Histogram): boolean {
  const inner = bounds.filter((value) => value > 1)
  return inner.length > 1 && inner.every((value, at) => at === 0 || Math.abs(value / (inner[at - 1] ?? 1) - 2) < 0.01)
}
