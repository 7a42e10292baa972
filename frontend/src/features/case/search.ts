import type { StackOrder } from '../../api'
import type { WidthBy } from '../../profile'
import type { LaneKey, SpanKey, TableOrder } from '../flamegraph'

export const VIEWS = ['flame', 'icicle', 'time', 'sandwich', 'table', 'lanes', 'diff', 'numbers', 'speedscope'] as const
export type View = (typeof VIEWS)[number]
export const TABS = ['timeline', 'hosts', 'phases', 'handoff'] as const
export type Tab = (typeof TABS)[number]

/** Everything that is chosen on a case page; absent means: as the page would choose. Nodes are the server's ids. */
export type CaseSearch = {
  /** A part of the case other than its findings. */
  tab?: Tab
  /** The host that is compared, and those it is compared with. */
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
  node?: number
  q?: string
  wide?: true
  /** Seconds of the recording, or positions of samples where it has no clock. */
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

/** At most so many values of one kind are taken from an address. */
const MOST = 20

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
/** What somebody typed, or what a machine is called: an address makes a number of `64`. */
const words = (value: unknown): string | undefined => text(typeof value === 'number' ? String(value) : value)
const oneOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined => choices.find((choice) => choice === value)
const flag = (value: unknown): true | undefined => (value === true || value === 'true' ? true : undefined)

function number(value: unknown, least: number): number | undefined {
  const found = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof found === 'number' && Number.isFinite(found) && found >= least ? found : undefined
}

function whole(value: unknown, least: number): number | undefined {
  const found = number(value, least)
  return Number.isSafeInteger(found) ? found : undefined
}

function many<T>(value: unknown, read: (one: unknown) => T | undefined): T[] | undefined {
  const found = (Array.isArray(value) ? value : [value]).slice(0, MOST).flatMap((one: unknown) => read(one) ?? [])
  return found.length > 0 ? found : undefined
}

/** Read what stands in an address; what makes no sense is as if it were not there. */
export function readCaseSearch(raw: Record<string, unknown>): CaseSearch {
  const [t0, t1, s0, s1] = [number(raw.t0, 0), number(raw.t1, 0), whole(raw.s0, 0), whole(raw.s1, 1)]
  const isTime = t0 !== undefined && t1 !== undefined && t0 < t1
  const isPlace = s0 !== undefined && s1 !== undefined && s0 < s1
  const [b0, b1] = [number(raw.b0, 0), number(raw.b1, 0)]
  const isBase = b0 !== undefined && b1 !== undefined && b0 < b1
  return clean({
    tab: oneOf(raw.tab, TABS),
    bad: words(raw.bad),
    good: many(raw.good, words),
    finding: text(raw.finding),
    clause: text(raw.clause),
    evidence: text(raw.evidence),
    line: whole(raw.line, 1),
    profile: text(raw.profile),
    view: oneOf(raw.view, VIEWS),
    order: oneOf(raw.order, ['left-heavy', 'alpha', 'time'] as const),
    inverted: flag(raw.inverted),
    zoom: whole(raw.zoom, 0),
    node: whole(raw.node, 0),
    q: words(raw.q),
    wide: flag(raw.wide),
    ...(isTime && { t0, t1 }),
    ...(isPlace && { s0, s1 }),
    cpu: many(raw.cpu, (one) => whole(one, 0)),
    tid: many(raw.tid, (one) => whole(one, -1)),
    comm: many(raw.comm, words),
    focus: many(raw.focus, words),
    hide: many(raw.hide, words),
    merge: many(raw.merge, words),
    collapse: flag(raw.collapse),
    idle: oneOf(raw.idle, ['hidden'] as const),
    weight: oneOf(raw.weight, ['samples'] as const),
    of: words(raw.of),
    by: oneOf(raw.by, ['cpu', 'thread', 'all'] as const),
    spans: oneOf(raw.spans, ['thread', 'leaf', 'stack'] as const),
    base: text(raw.base),
    ...(isBase && { b0, b1 }),
    least: number(raw.least, 0),
    width: oneOf(raw.width, ['a', 'b'] as const),
    sort: oneOf(raw.sort, ['total', 'name'] as const),
    from: whole(raw.from, 1),
    at: words(raw.at),
    into: words(raw.into),
    span: words(raw.span),
    seen: words(raw.seen),
    chart: many(raw.chart, words),
    pin: many(raw.pin, words),
  })
}

const isSaid = (value: unknown) => value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** Without what is undefined, so that addresses stay short. */
export function clean(search: { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }): CaseSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => isSaid(value))) as CaseSearch
}
