/** How a box differs between A (before, or the base) and B: shares of their own wholes, 0 to 1. */
export type Change = { a: number; b: number }

export type ChangeWord = 'only in A' | 'only in B' | 'more in B' | 'less in B' | 'the same'

/** Changes below this share of the whole are as good as none. */
export const LEAST_CHANGE = 0.0005

export function changeWord({ a, b }: Change, least = LEAST_CHANGE): ChangeWord {
  if (Math.abs(b - a) < least) return 'the same'
  if (a === 0) return 'only in B'
  if (b === 0) return 'only in A'
  return b > a ? 'more in B' : 'less in B'
}

/** `+12.3 points`, with the sign always said: colour alone means nothing. */
export function signedShare(change: number): string {
  const points = change * 100
  if (Math.abs(points) < 0.05) return '±0.0 %'
  return `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} %`
}

/** Steps on either side of no change. */
export const STEPS = 8

/**
 * Which of the `2 * STEPS + 1` colours a change takes; `STEPS` is none at all.
 *
 * By the square root of the change in points, 30 of which are the strongest colour, so that small ones are
 * still told from none.
 */
export function changeStep({ a, b }: Change, least = LEAST_CHANGE): number {
  const change = b - a
  if (Math.abs(change) < least) return STEPS
  const strength = Math.max(1, Math.round(Math.sqrt(Math.min(1, Math.abs(change) / 0.3)) * STEPS))
  return STEPS + Math.sign(change) * strength
}

/** Blue for less in B, grey for the same, orange for more: told apart by every kind of colour vision. */
export function changeColours(isDark: boolean): string[] {
  return Array.from({ length: 2 * STEPS + 1 }, (_, at) => {
    const strength = Math.abs(at - STEPS) / STEPS
    if (strength === 0) return isDark ? 'oklch(0.36 0.008 250)' : 'oklch(0.9 0.006 250)'
    const [hue, most] = at < STEPS ? [250, isDark ? 0.13 : 0.12] : [55, isDark ? 0.125 : 0.15]
    const lightness = isDark ? 0.36 + 0.16 * strength : 0.92 - 0.2 * strength
    return `oklch(${lightness.toFixed(3)} ${(0.015 + (most - 0.015) * strength).toFixed(3)} ${hue})`
  })
}
