/** The URL parameters of the compare page: A is the baseline, B the current profile. */
export type CompareSearch = { a?: string; b?: string; q?: string; zoom?: number; node?: number; least?: number; width?: 'a' | 'b'; facts?: string; idle?: 'hidden' }

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined)
const number = (value: unknown) => (value !== '' && Number.isFinite(Number(value)) && Number(value) >= 0 ? Number(value) : undefined)

/** Parses URL parameters; invalid values are ignored. */
export function readCompareSearch(raw: Record<string, unknown>): CompareSearch {
  const read = {
    a: text(raw.a),
    b: text(raw.b),
    q: text(raw.q),
    zoom: raw.zoom === undefined ? undefined : number(raw.zoom),
    node: raw.node === undefined ? undefined : number(raw.node),
    least: raw.least === undefined ? undefined : number(raw.least),
    width: raw.width === 'a' || raw.width === 'b' ? raw.width : undefined,
    facts: text(raw.facts),
    idle: raw.idle === 'hidden' ? raw.idle : undefined,
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined)) as CompareSearch
}
