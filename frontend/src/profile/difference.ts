/** The shares of a box in A (the baseline) and B, each of its own total, 0 to 1. */
export type Change = { a: number; b: number }

export type ChangeLabel = 'only in A' | 'only in B' | 'more in B' | 'less in B' | 'unchanged'

/** Changes below this share of the total count as unchanged. */
export const MIN_CHANGE = 0.0005

export function changeLabel({ a, b }: Change, minChange = MIN_CHANGE): ChangeLabel {
  if (Math.abs(b - a) < minChange) return 'unchanged'
  if (a === 0) return 'only in B'
  if (b === 0) return 'only in A'
  return b > a ? 'more in B' : 'less in B'
}

/** A change in percentage points, always signed: `+12.3 %`. */
export function signedShare(change: number): string {
  const points = change * 100
  if (Math.abs(points) < 0.05) return '±0.0 %'
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} %`
}

/** Colour steps on each side of no change. */
export const STEPS = 8

/**
 * The index of a change in the `2 * STEPS + 1` colours; `STEPS` is no change.
 *
 * Proportional to the square root of the change, so that small changes are visible; 30 points are the strongest colour.
 */
export function changeStep({ a, b }: Change, minChange = MIN_CHANGE): number {
  const change = b - a
  if (Math.abs(change) < minChange) return STEPS
  const strength = Math.max(1, Math.round(Math.sqrt(Math.min(1, Math.abs(change) / 0.3)) * STEPS))
  return STEPS + Math.sign(change) * strength
}

/** Blue for less in B, grey for unchanged, orange for more: safe for colour-blind readers. */
export function changeColours(isDark: boolean): string[] {
  return Array.from({ length: 2 * STEPS + 1 }, (_, at) => {
    const strength = Math.abs(at - STEPS) / STEPS
    if (strength === 0) return isDark ? 'oklch(0.36 0.008 250)' : 'oklch(0.9 0.006 250)'
    const [hue, maxChroma] = at < STEPS ? [250, isDark ? 0.13 : 0.12] : [55, isDark ? 0.125 : 0.15]
    const lightness = isDark ? 0.36 + 0.16 * strength : 0.92 - 0.2 * strength
    return `oklch(${lightness.toFixed(3)} ${(0.015 + (maxChroma - 0.015) * strength).toFixed(3)} ${hue})`
  })
}
