/** Samples by second (columns) and part of the second (rows), column by column; row 0 is where the second begins. */
export type Heat = { columns: number; rows: number; column_seconds: number; row_seconds: number; duration_s: number; counts: ArrayLike<number>; max: number }

export type Cell = { column: number; row: number }
export type TimeRange = { t0: number; t1: number }

/** Steps of brightness; 0 is nothing at all. */
export const HEAT_LEVELS = 13

/** In proportion, but few samples are still told from none. */
export function heatLevel(count: number, max: number): number {
  return count <= 0 || max <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, count / max) * (HEAT_LEVELS - 1)))
}

/** From nothing to most; one hue, told apart by lightness alone. */
export function heatColours(isDark: boolean): string[] {
  return Array.from({ length: HEAT_LEVELS }, (_, at) => {
    const share = at / (HEAT_LEVELS - 1)
    if (at === 0) return isDark ? 'oklch(0.24 0.01 220)' : 'oklch(0.965 0.006 90)'
    return isDark ? `oklch(${(0.27 + 0.3 * share).toFixed(3)} ${(0.02 + 0.08 * share).toFixed(3)} 47)` : `oklch(${(0.955 - 0.24 * share).toFixed(3)} ${(0.02 + 0.1 * share).toFixed(3)} 47)`
  })
}

/** The cell at a place of the map, both fractions of it; seconds begin at the bottom. */
export function cellAt({ columns, rows }: Heat, x: number, y: number): Cell {
  return { column: placeIn(x, columns), row: rows - 1 - placeIn(y, rows) }
}

const placeIn = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(share * count)))

export function startOf({ column_seconds, row_seconds }: Heat, { column, row }: Cell): number {
  return column * column_seconds + row * row_seconds
}

/** All time from one cell to another, whichever comes first, both included. */
export function rangeBetween(heat: Heat, one: Cell, other: Cell): TimeRange {
  const [first, last] = startOf(heat, one) <= startOf(heat, other) ? [one, other] : [other, one]
  const t1 = Math.min(heat.duration_s, startOf(heat, last) + heat.row_seconds)
  return { t0: rounded(startOf(heat, first)), t1: rounded(t1 > startOf(heat, first) ? t1 : startOf(heat, last) + heat.row_seconds) }
}

/** The cell in which a second of the recording lies. */
export function cellOf(heat: Heat, seconds: number): Cell {
  const column = Math.max(0, Math.min(heat.columns - 1, Math.floor(seconds / heat.column_seconds + 1e-9)))
  const row = Math.floor((seconds - column * heat.column_seconds) / heat.row_seconds + 1e-9)
  return { column, row: Math.max(0, Math.min(heat.rows - 1, row)) }
}

/** The cell some steps later (or earlier, below 0), as time goes: upwards, then on to the next second. */
export function moved(heat: Heat, { column, row }: Cell, steps: number): Cell {
  const at = Math.max(0, Math.min(heat.columns * heat.rows - 1, column * heat.rows + row + steps))
  return { column: Math.floor(at / heat.rows), row: at % heat.rows }
}

/** How many samples lie between two cells, both included. */
export function countBetween(heat: Heat, one: Cell, other: Cell): number {
  const places = [one, other].map(({ column, row }) => column * heat.rows + row).toSorted((a, b) => a - b)
  let sum = 0
  for (let at = places[0] ?? 0; at <= (places[1] ?? 0); at++) sum += heat.counts[at] ?? 0
  return sum
}

const rounded = (seconds: number) => Math.round(seconds * 1e6) / 1e6
