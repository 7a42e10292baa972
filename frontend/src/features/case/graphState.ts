import type { Selection } from '../../api'
import { type GraphState, LEAST_DELTA } from '../flamegraph'
import type { CaseSearch } from './search'

/** What of the graph an address says. */
export function graphStateOf(search: CaseSearch): GraphState {
  const { t0, t1, s0, s1, cpu, tid, comm, focus, hide, merge } = search
  const selection: Selection = {
    ...(t0 !== undefined && { t0, t1 }),
    ...(s0 !== undefined && { from_sample: s0, to_sample: s1 }),
    ...(cpu && { cpu }),
    ...(tid && { tid }),
    ...(comm && { comm }),
    ...(focus && { focus }),
    ...(hide && { hide }),
    ...(merge && { merge }),
    ...(search.collapse && { collapse_recursion: true as const }),
    ...(search.idle && { idle: false as const }),
    ...(search.weight && { weight: search.weight }),
  }
  return {
    look: search.view === undefined || search.view === 'speedscope' ? 'flame' : search.view,
    order: search.order ?? 'left-heavy',
    inverted: search.inverted ?? false,
    q: search.q ?? '',
    zoom: search.zoom ?? null,
    node: search.node ?? null,
    isWide: search.wide ?? false,
    selection,
    of: search.of ?? '',
    lanes: search.by ?? null,
    spans: search.spans ?? 'thread',
    base: search.base ?? null,
    baseFrom: search.b0 ?? null,
    baseTo: search.b1 ?? null,
    leastDelta: search.least ?? LEAST_DELTA,
    widthBy: search.width ?? 'both',
    sort: search.sort ?? 'self',
    offset: search.from ?? 0,
    span: search.span ?? null,
    at: search.at ?? null,
    into: search.into ?? null,
    casesOf: search.seen ?? '',
    pins: search.pin ?? [],
  }
}

type Change = { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }

/** A change of the graph as a change of the address; what is as by default does not stand in it. */
export function searchOfChange(change: Partial<GraphState>): Change {
  const said: Change = {}
  // What was selected in one view, or of other samples, means nothing in the next.
  if (change.look !== undefined || change.selection || change.of !== undefined || change.lanes !== undefined || change.spans !== undefined) Object.assign(said, { span: undefined, at: undefined, into: undefined })
  if ('zoom' in change) said.into = undefined
  if ('node' in change) said.at = undefined
  if (change.look !== undefined) said.view = change.look === 'flame' ? undefined : change.look
  if (change.order !== undefined) said.order = change.order === 'left-heavy' ? undefined : change.order
  if (change.inverted !== undefined) said.inverted = change.inverted || undefined
  if (change.isWide !== undefined) said.wide = change.isWide || undefined
  for (const key of ['q', 'zoom', 'node', 'of', 'base'] as const) if (key in change) said[key] = (change[key] ?? undefined) as never
  if ('lanes' in change) said.by = change.lanes ?? undefined
  if (change.spans !== undefined) said.spans = change.spans === 'thread' ? undefined : change.spans
  if ('baseFrom' in change) said.b0 = change.baseFrom
  if ('baseTo' in change) said.b1 = change.baseTo
  if (change.leastDelta !== undefined) said.least = change.leastDelta === LEAST_DELTA ? undefined : change.leastDelta
  if (change.widthBy !== undefined) said.width = change.widthBy === 'both' ? undefined : change.widthBy
  if (change.sort !== undefined) Object.assign(said, { sort: change.sort === 'self' ? undefined : change.sort, from: undefined })
  if (change.q !== undefined || change.selection) said.from = undefined
  if (change.offset !== undefined) said.from = change.offset || undefined
  for (const key of ['span', 'at', 'into'] as const) if (key in change) said[key] = change[key] ?? undefined
  if (change.casesOf !== undefined) said.seen = change.casesOf || undefined
  if (change.pins !== undefined) said.pin = [...change.pins]
  const { selection } = change
  if (!selection) return said
  const { t0, t1, from_sample: s0, to_sample: s1, cpu, tid, comm, focus, hide, merge, collapse_recursion, idle, weight } = selection
  return { ...said, t0, t1, s0, s1, cpu, tid, comm, focus, hide, merge, collapse: collapse_recursion, idle: idle === false ? 'hidden' : undefined, weight }
}

/** Does a change only look closer at what is shown already? Then it takes no step of its own in the history. */
export function isGlance(change: Partial<GraphState>): boolean {
  const said = Object.keys(change)
  return said.every((key) => key === 'q' || key === 'node' || key === 'span' || key === 'at')
}
