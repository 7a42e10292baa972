const FIRST_MS = 400
const MOST_MS = 12_000
const GROWTH = 2
/** Delay before the first two refetches of a series: a paste is judged within them. */
const FAST_ROUNDS = 2

/** Delay before the refetch number `round` of a series of events: short at first, longer while many files are read. */
export function refetchDelayMs(round: number): number {
  return Math.min(MOST_MS, FIRST_MS * GROWTH ** Math.max(0, round - FAST_ROUNDS + 1))
}

const FINDINGS_FIRST_MS = 3_000
const FINDINGS_GROWTH = 1.25

/**
 * Least time between two refetches of findings while many files are read, before the refetch number `round` of
 * that time: the first verdict is shown soon, and a minute of reading takes ten refetches.
 */
export function findingsDelayMs(round: number): number {
  return Math.min(MOST_MS, FINDINGS_FIRST_MS * FINDINGS_GROWTH ** round)
}
