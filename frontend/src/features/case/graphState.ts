import type { Selection } from '../../api'
import { type GraphState, LEAST_DELTA } from '../flamegraph'
import type { CaseSearch } from './search'

/** The state of the graph from the URL parameters. */
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
    look: search.view === undefined || search.view === 'speedscope' || search.view === 'waits' || search.view === 'lines' ? 'flame' : search.view,
    order: search.order ?? 'left-heavy',
    inverted: search.inverted ?? false,
    q: search.q ?? '',
    zoom: search.zoom ?? null,
    isWhole: search.whole ?? false,
    showsNameless: search.symbols === 'all',
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

/** A change of the graph state as a change of URL parameters; defaults are omitted. */
export function searchOfChange(change: Partial<GraphState>): Change {
  const params: Change = {}
  // A selection belongs to one view and one set of samples.
  if (change.look !== undefined || change.selection || change.of !== undefined || change.lanes !== undefined || change.spans !== undefined) Object.assign(params, { span: undefined, at: undefined, into: undefined })
  if ('zoom' in change) params.into = undefined
  if ('node' in change) params.at = undefined
  if (change.look !== undefined) params.view = change.look === 'flame' ? undefined : change.look
  if (change.order !== undefined) params.order = change.order === 'left-heavy' ? undefined : change.order
  if (change.inverted !== undefined) params.inverted = change.inverted || undefined
  if (change.isWide !== undefined) params.wide = change.isWide || undefined
  // A zoom, or a part that is opened anew, ends the view of the whole.
  if (change.isWhole !== undefined || 'zoom' in change) params.whole = change.isWhole || undefined
  if (change.showsNameless !== undefined) params.symbols = change.showsNameless ? 'all' : undefined
  for (const key of ['q', 'zoom', 'node', 'of', 'base'] as const) if (key in change) params[key] = (change[key] ?? undefined) as never
  if ('lanes' in change) params.by = change.lanes ?? undefined
  if (change.spans !== undefined) params.spans = change.spans === 'thread' ? undefined : change.spans
  if ('baseFrom' in change) params.b0 = change.baseFrom
  if ('baseTo' in change) params.b1 = change.baseTo
  if (change.leastDelta !== undefined) params.least = change.leastDelta === LEAST_DELTA ? undefined : change.leastDelta
  if (change.widthBy !== undefined) params.width = change.widthBy === 'both' ? undefined : change.widthBy
  if (change.sort !== undefined) Object.assign(params, { sort: change.sort === 'self' ? undefined : change.sort, from: undefined })
  if (change.q !== undefined || change.selection) params.from = undefined
  if (change.offset !== undefined) params.from = change.offset || undefined
  for (const key of ['span', 'at', 'into'] as const) if (key in change) params[key] = change[key] ?? undefined
  if (change.casesOf !== undefined) params.seen = change.casesOf || undefined
  if (change.pins !== undefined) params.pin = [...change.pins]
  const { selection } = change
  if (!selection) return params
  const { t0, t1, from_sample: s0, to_sample: s1, cpu, tid, comm, focus, hide, merge, collapse_recursion, idle, weight } = selection
  return { ...params, t0, t1, s0, s1, cpu, tid, comm, focus, hide, merge, collapse: collapse_recursion, idle: idle === false ? 'hidden' : undefined, weight }
}

/** Whether a change only moves the selection or the search: it replaces the history entry instead of adding one. */
export function isMinorChange(change: Partial<GraphState>): boolean {
  return Object.keys(change).every((key) => key === 'q' || key === 'node' || key === 'span' || key === 'at')
}
