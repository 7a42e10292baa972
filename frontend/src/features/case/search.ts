import type { StackOrder } from '../../api'
import type { WidthBy } from '../../profile'
import type { LaneKey, SpanKey, TableOrder } from '../flamegraph'

export const VIEWS = ['lines', 'flame', 'icicle', 'time', 'sandwich', 'table', 'lanes', 'diff', 'numbers', 'waits', 'speedscope'] as const
export type View = (typeof VIEWS)[number]
export const TABS = ['timeline', 'hosts', 'phases', 'handoff'] as const
export type Tab = (typeof TABS)[number]

/** The URL parameters of a case page; absent means the default. Nodes are the server's ids. */
export type CaseSearch = {
  /** The tab, unless it is the findings. */
  tab?: Tab
  /** The affected host, and the hosts it is compared with. */
  bad?: string
  good?: string[]
  finding?: string
  clause?: string
  evidence?: string
  line?: number
  profile?: string
  view?: View
  order?: StackOrder
  inverted?: true
  zoom?: number
  whole?: true
  symbols?: 'all'
  node?: number
  q?: string
  wide?: true
  /** A range in seconds, or in sample indices for a recording without timestamps. */
  t0?: number
  t1?: number
  s0?: number
  s1?: number
  cpu?: number[]
  tid?: number[]
  comm?: string[]
  focus?: string[]
  hide?: string[]
  merge?: string[]
  collapse?: true
  idle?: 'hidden'
  weight?: 'samples'
  of?: string
  by?: LaneKey
  spans?: SpanKey
  base?: string
  b0?: number
  b1?: number
  least?: number
  width?: WidthBy
  sort?: TableOrder
  from?: number
  at?: string
  into?: string
  span?: string
  seen?: string
  chart?: string[]
  pin?: string[]
}

/** Limit of values per repeated parameter. */
const MAX_VALUES = 20

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** Free text; the router parses `64` as a number. */
const freeText = (value: unknown): string | undefined => text(typeof value === 'number' ? String(value) : value)
const oneOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined => choices.find((choice) => choice === value)
const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)

function number(value: unknown, least: number): number | undefined {
  const parsed = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof parsed === 'number' && Number.isFinite(parsed) && parsed >= least ? parsed : undefined
}

function integer(value: unknown, least: number): number | undefined {
  const parsed = number(value, least)
  return Number.isSafeInteger(parsed) ? parsed : undefined
}

function many<T>(value: unknown, read: (one: unknown) => T | undefined): T[] | undefined {
  const values = (Array.isArray(value) ? value : [value]).slice(0, MAX_VALUES).flatMap((one: unknown) => read(one) ?? [])
  return values.length > 0 ? values : undefined
}

/** Parses URL parameters; invalid values are ignored. */
export function readCaseSearch(raw: Record<string, unknown>): CaseSearch {
  const [t0, t1, s0, s1] = [number(raw.t0, 0), number(raw.t1, 0), integer(raw.s0, 0), integer(raw.s1, 1)]
  const hasTimeRange = t0 !== undefined && t1 !== undefined && t0 < t1
  const hasSampleRange = s0 !== undefined && s1 !== undefined && s0 < s1
  const [b0, b1] = [number(raw.b0, 0), number(raw.b1, 0)]
  const hasBaseRange = b0 !== undefined && b1 !== undefined && b0 < b1
  return clean({
    tab: oneOf(raw.tab, TABS),
    bad: freeText(raw.bad),
    good: many(raw.good, freeText),
    finding: text(raw.finding),
    clause: text(raw.clause),
    evidence: text(raw.evidence),
    line: integer(raw.line, 1),
    profile: text(raw.profile),
    view: oneOf(raw.view, VIEWS),
    order: oneOf(raw.order, ['left-heavy', 'alpha', 'time'] as const),
    inverted: flag(raw.inverted),
    zoom: integer(raw.zoom, 0),
    whole: flag(raw.whole),
    symbols: oneOf(raw.symbols, ['all'] as const),
    node: integer(raw.node, 0),
    q: freeText(raw.q),
    wide: flag(raw.wide),
    ...(hasTimeRange && { t0, t1 }),
    ...(hasSampleRange && { s0, s1 }),
    cpu: many(raw.cpu, (one) => integer(one, 0)),
    tid: many(raw.tid, (one) => integer(one, -1)),
    comm: many(raw.comm, freeText),
    focus: many(raw.focus, freeText),
    hide: many(raw.hide, freeText),
    merge: many(raw.merge, freeText),
    collapse: flag(raw.collapse),
    idle: oneOf(raw.idle, ['hidden'] as const),
    weight: oneOf(raw.weight, ['samples'] as const),
    of: freeText(raw.of),
    by: oneOf(raw.by, ['cpu', 'thread', 'all'] as const),
    spans: oneOf(raw.spans, ['thread', 'leaf', 'stack'] as const),
    base: text(raw.base),
    ...(hasBaseRange && { b0, b1 }),
    least: number(raw.least, 0),
    width: oneOf(raw.width, ['a', 'b'] as const),
    sort: oneOf(raw.sort, ['total', 'name'] as const),
    from: integer(raw.from, 1),
    at: freeText(raw.at),
    into: freeText(raw.into),
    span: freeText(raw.span),
    seen: freeText(raw.seen),
    chart: many(raw.chart, freeText),
    pin: many(raw.pin, freeText),
  })
}

const isSet = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The parameters without empty values, to keep URLs short. */
export function clean(search: { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }): CaseSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => isSet(value))) as CaseSearch
}
