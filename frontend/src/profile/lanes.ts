/** Spans (runs of consecutive samples) as columns, grouped by lane; lane `i` has `lanes[i].spans` of them. */
export type LaneColumns = {
  lanes: readonly { label: string; samples: number; spans: number }[]
  start: ArrayLike<number>
  duration: ArrayLike<number>
  samples: ArrayLike<number>
  thread: ArrayLike<number>
  from: number
  to: number
}

export const NO_SPAN = -1

/** The index of the first span of each lane; one more entry than lanes. */
export function firstSpans({ lanes }: LaneColumns): number[] {
  const first = [0]
  for (const { spans } of lanes) first.push((first.at(-1) ?? 0) + spans)
  return first
}

/** The span of a lane at a position on the axis, or the nearest within `reach`; else `NO_SPAN`. */
export function spanAt(columns: LaneColumns, lane: number, at: number, reach = 0): number {
  const first = firstSpans(columns)
  let [low, high] = [first[lane] ?? 0, (first[lane + 1] ?? 0) - 1]
  const end = high
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((columns.start[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  const distance = (span: number) => {
    if (span > end || span < (first[lane] ?? 0)) return Infinity
    const start = columns.start[span] ?? 0
    return at < start ? start - at : Math.max(0, at - start - (columns.duration[span] ?? 0))
  }
  const best = distance(low) <= distance(low + 1) ? low : low + 1
  return distance(best) < Infinity && distance(best) <= reach ? best : NO_SPAN
}

/** The lane of a span. */
export function laneOf(columns: LaneColumns, span: number): number {
  return firstSpans(columns).findLastIndex((first) => first <= span)
}

export type LaneStep = 'before' | 'after' | 'above' | 'below'

/** The span that an arrow key selects; the same span at the edges. */
export function stepSpan(columns: LaneColumns, span: number, direction: LaneStep): number {
  const first = firstSpans(columns)
  if (span === NO_SPAN) return (first.at(-1) ?? 0) > 0 ? 0 : NO_SPAN
  const lane = laneOf(columns, span)
  if (direction === 'before') return Math.max(first[lane] ?? 0, span - 1)
  if (direction === 'after') return Math.min((first[lane + 1] ?? 1) - 1, span + 1)
  const middle = (columns.start[span] ?? 0) + (columns.duration[span] ?? 0) / 2
  for (let other = lane + (direction === 'above' ? -1 : 1); other >= 0 && other < columns.lanes.length; other += direction === 'above' ? -1 : 1) {
    const nearest = spanAt(columns, other, middle, Infinity)
    if (nearest !== NO_SPAN) return nearest
  }
  return span
}

/** The hues of commands; few enough to be distinguishable. */
const HUES = [230, 60, 150, 330, 95, 280, 25, 190] as const

export function laneColours(isDark: boolean): string[] {
  const grey = isDark ? 'oklch(0.3 0.006 250)' : 'oklch(0.93 0.004 250)'
  return [grey, ...HUES.map((hue) => (isDark ? `oklch(0.47 0.085 ${hue})` : `oklch(0.83 0.085 ${hue})`))]
}

/** The index of a command's colour in `laneColours`; idle is grey, kernel threads of one kind share a colour. */
export function commColour(comm: string): number {
  if (/^(swapper|idle)\b/.test(comm)) return 0
  const family = comm.replace(/[/:\d-]+.*$/, '') || comm
  let value = 7
  for (let at = 0; at < family.length; at++) value = (value * 31 + family.charCodeAt(at)) >>> 0
  return 1 + (value % HUES.length)
}

/** A stable key of a span: its lane and its start. */
export function spanKey(columns: LaneColumns, span: number): string | null {
  return span === NO_SPAN ? null : `${columns.lanes[laneOf(columns, span)]?.label}@${columns.start[span]}`
}

/** The span of a key, or `NO_SPAN` when no span starts there. */
export function spanOfKey(columns: LaneColumns, key: string | null): number {
  const cut = key?.lastIndexOf('@') ?? -1
  const lane = columns.lanes.findIndex(({ label }) => label === key?.slice(0, cut))
  if (key === null || lane < 0) return NO_SPAN
  const start = Number(key.slice(cut + 1))
  const span = spanAt(columns, lane, start)
  return columns.start[span] === start ? span : NO_SPAN
}
