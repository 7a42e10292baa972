const WEEK_MS = 7 * 86_400_000

export type Week = { start: string; cases: number }

/** The weeks from the first with a case to `now`, those without a case included. */
export function allWeeks(weeks: readonly Week[], now: number): Week[] {
  const first = weeks[0]
  if (!first) return []
  const counts = new Map(weeks.map(({ start, cases }) => [Date.parse(start), cases]))
  const found: Week[] = []
  for (let at = Date.parse(first.start); at <= now; at += WEEK_MS) found.push({ start: new Date(at).toISOString(), cases: counts.get(at) ?? 0 })
  return found
}
