/** The URL parameters of a trend: its measure, the points A (the base) and B, and the state of their flame graph. */
export type TrendSearch = { measure?: string; a?: string; b?: string; q?: string; zoom?: number; node?: number; least?: number; width?: 'a' | 'b' }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined)
const number = (value: unknown) => (value !== undefined && value !== '' && Number.isFinite(Number(value)) && Number(value) >= 0 ? Number(value) : undefined)

/** Parses URL parameters; invalid values are ignored. */
export function readTrendSearch(raw: Record<string, unknown>): TrendSearch {
  return compactSearch({
    measure: text(raw.measure),
    a: text(raw.a),
    b: text(raw.b),
    q: text(raw.q),
    zoom: number(raw.zoom),
    node: number(raw.node),
    least: number(raw.least),
    width: raw.width === 'a' || raw.width === 'b' ? raw.width : undefined,
  })
}

/** The parameters that are set. */
export function compactSearch(search: { [Key in keyof TrendSearch]: TrendSearch[Key] | undefined | null }): TrendSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')) as TrendSearch
}
