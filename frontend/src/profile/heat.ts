/** Sample counts by second (column) and fraction of the second (row), column-major; row 0 is the start of the second. */
export type Heat = { columns: number; rows: number; column_seconds: number; row_seconds: number; duration_s: number; counts: ArrayLike<number>; max: number; part?: ArrayLike<number> | null }

export type Cell = { column: number; row: number }
export type TimeRange = { t0: number; t1: number }

/** Brightness levels; 0 is no sample. */
export const HEAT_LEVELS = 13

/** The brightness level, proportional to the count; at least 1 for one sample. */
export function heatLevel(count: number, max: number): number {
  return count <= 0 || max <= 0 ? 0 : Math.max(1, Math.round(Math.min(1, count / max) * (HEAT_LEVELS - 1)))
}

/** The brightness level of a cell: of its share of the selected node where one is given, else of its samples. */
export function cellLevel({ counts, part, max }: Heat, at: number): number {
  const count = counts[at] ?? 0
  return part ? heatLevel(part[at] ?? 0, count) : heatLevel(count, max)
}

/** The share of the selected node in the samples between two cells, both included; null without a node or samples. */
export function shareBetween(heat: Heat, one: Cell, other: Cell): number | null {
  const all = countBetween(heat, one, other)
  return heat.part && all > 0 ? countBetween({ ...heat, counts: heat.part }, one, other) / all : null
}

/** The colours of all levels: one hue, increasing contrast. */
export function heatColours(isDark: boolean): string[] {
  return Array.from({ length: HEAT_LEVELS }, (_, at) => {
    const share = at / (HEAT_LEVELS - 1)
    if (at === 0) return isDark ? 'oklch(0.24 0.01 220)' : 'oklch(0.965 0.006 90)'
    return isDark ? `oklch(${(0.27 + 0.3 * share).toFixed(3)} ${(0.02 + 0.08 * share).toFixed(3)} 47)` : `oklch(${(0.955 - 0.24 * share).toFixed(3)} ${(0.02 + 0.1 * share).toFixed(3)} 47)`
  })
}

/** The cell at a position, given as fractions of the map; seconds start at the bottom. */
export function cellAt({ columns, rows }: Heat, x: number, y: number): Cell {
  return { column: indexAt(x, columns), row: rows - 1 - indexAt(y, rows) }
}

const indexAt = (share: number, count: number) => Math.max(0, Math.min(count - 1, Math.floor(share * count)))

export function startOf({ column_seconds, row_seconds }: Heat, { column, row }: Cell): number {
  return column * column_seconds + row * row_seconds
}

/** The time range between two cells in any order, both included. */
export function rangeBetween(heat: Heat, one: Cell, other: Cell): TimeRange {
  const [first, last] = startOf(heat, one) <= startOf(heat, other) ? [one, other] : [other, one]
  const t1 = Math.min(heat.duration_s, startOf(heat, last) + heat.row_seconds)
  return { t0: rounded(startOf(heat, first)), t1: rounded(t1 > startOf(heat, first) ? t1 : startOf(heat, last) + heat.row_seconds) }
}

/** The cell of a time in seconds. */
export function cellOf(heat: Heat, seconds: number): Cell {
  const column = Math.max(0, Math.min(heat.columns - 1, Math.floor(seconds / heat.column_seconds + 1e-9)))
  const row = Math.floor((seconds - column * heat.column_seconds) / heat.row_seconds + 1e-9)
  return { column, row: Math.max(0, Math.min(heat.rows - 1, row)) }
}

/** The cell `steps` later (negative: earlier): up within the second, then the next second. */
export function offsetCell(heat: Heat, { column, row }: Cell, steps: number): Cell {
  const at = Math.max(0, Math.min(heat.columns * heat.rows - 1, column * heat.rows + row + steps))
  return { column: Math.floor(at / heat.rows), row: at % heat.rows }
}

/** The number of samples between two cells, both included. */
export function countBetween(heat: Heat, one: Cell, other: Cell): number {
  const indices = [one, other].map(({ column, row }) => column * heat.rows + row).toSorted((a, b) => a - b)
  let sum = 0
  for (let at = indices[0] ?? 0; at <= (indices[1] ?? 0); at++) sum += heat.counts[at] ?? 0
  return sum
}

const rounded = (seconds: number) => Math.round(seconds * 1e6) / 1e6
