import type { StackOrder } from '../../api'

export const VIEWS = ['flame', 'icicle', 'table', 'speedscope'] as const
export type View = (typeof VIEWS)[number]

/** Everything that is chosen on a case page; absent means: as the page would choose. Nodes are the server's ids. */
export type CaseSearch = {
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
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const oneOf = <T extends string>(value: unknown, choices: readonly T[]): T | undefined => choices.find((choice) => choice === value)

function whole(value: unknown, least: number): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= least ? number : undefined
}

/** Read what stands in an address; what makes no sense is as if it were not there. */
export function readCaseSearch(raw: Record<string, unknown>): CaseSearch {
  const q = typeof raw.q === 'number' ? String(raw.q) : text(raw.q)
  return clean({
    finding: text(raw.finding),
    clause: text(raw.clause),
    evidence: text(raw.evidence),
    line: whole(raw.line, 1),
    profile: text(raw.profile),
    view: oneOf(raw.view, VIEWS),
    order: oneOf(raw.order, ['left-heavy', 'alpha', 'time'] as const),
    inverted: raw.inverted === true || raw.inverted === 'true' ? true : undefined,
    zoom: whole(raw.zoom, 0),
    node: whole(raw.node, 0),
    q,
    wide: raw.wide === true || raw.wide === 'true' ? true : undefined,
  })
}

/** Without what is undefined, so that addresses stay short. */
export function clean(search: { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }): CaseSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')) as CaseSearch
}
