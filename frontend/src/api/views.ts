import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Graph } from '../profile'
import { client, take } from './client'
import { indexInWorker } from './graphWorker'
import { keys } from './keys'
import type { Selection } from './selection'
import type { Whole } from './types'

type Query = Record<string, unknown>

/** An address with parameters; several values of one are said one by one. */
function address(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) parameters.append(name, String(one))
  return `/api/v1${path}?${parameters}`
}

export type StackOrder = 'left-heavy' | 'alpha' | 'time'
export type GraphView = { order: StackOrder | 'chronological'; inverted: boolean; keep: readonly number[]; selection: Selection; leastShare?: number }

/** A graph, and what it says of the whole recording. */
export type LoadedGraph = Graph & { columns: Graph['columns'] & { whole?: Whole } }

/** Boxes narrower than this share of the whole are left to their parents' totals. */
export const MIN_SHARE = 0.001

/** More ids than this would not fit into one request line. */
export const MAX_KEPT_NODES = 800

/** How many functions one page of the table has. */
export const TOP_ROWS = 200

/** What was computed of one recording stays true. */
const lasting = { staleTime: Infinity, structuralSharing: false } as const
const pathOf = (profileId: string) => ({ profile_id: profileId })

/** The wide part of the graph, with the `keep` nodes whatever their width. */
export function useGraph(profileId: string, { order, inverted, keep, selection, leastShare = MIN_SHARE }: GraphView, isWanted = true) {
  const query = { min_share: leastShare, order, inverted, ...(order !== 'chronological' && { compact: true }), ...(keep.length > 0 && { keep: keep.slice(0, MAX_KEPT_NODES).join(',') }), ...selection }
  return useQuery({
    queryKey: keys.graph(profileId, query),
    queryFn: async ({ signal }) =>
      indexInWorker<LoadedGraph>(await take(client.GET('/api/v1/profiles/{profile_id}/graph', { params: { path: pathOf(profileId), query }, parseAs: 'arrayBuffer', signal }))),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    ...lasting,
  })
}

/** `node` is one where a stack of the row ends and `depth` that of the row, when the graph is inverted. */
type Below = { node: number | null; inverted: boolean; depth: number; share: number; order: StackOrder; selection: Selection }

/** All below one row that is at least `MIN_SHARE` of *it*; `share` is what the row is of the whole. */
export function useSubtree(profileId: string, { node, inverted, depth, share, order, selection }: Below) {
  const query = { node: node ?? 0, min_share: MIN_SHARE * share, order, compact: true, ...(inverted && { inverted, depth }), ...selection }
  return useQuery({
    queryKey: keys.view('subtree', profileId, query),
    queryFn: async ({ signal }) =>
      indexInWorker<LoadedGraph>(await take(client.GET('/api/v1/profiles/{profile_id}/subtree', { params: { path: pathOf(profileId), query }, parseAs: 'arrayBuffer', signal }))),
    enabled: node !== null,
    ...lasting,
  })
}

/** Where the profile is had as a file of a format, with the selection that is on screen. */
export function exportAddress(profileId: string, what: 'folded' | 'speedscope.json' | 'firefox.json' | 'svg', selection: Selection, more: Query = {}): string {
  return address(`/profiles/${profileId}${what === 'folded' ? '/' : '.'}${what}`, { ...selection, ...more, download: true })
}

/** What is true of a recording whatever is selected: its weight, what is idle, unnamed or lost, and who ran. */
export function useWhole(profileId: string) {
  return useQuery({
    queryKey: keys.view('whole', profileId, {}),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/whole', { params: { path: pathOf(profileId) }, signal })),
    ...lasting,
  })
}

type TopQuery = { sort: 'self' | 'total' | 'name'; q: string; offset: number }

/** Functions, whoever called them. */
export function useTop(profileId: string, { sort, q, offset }: TopQuery, selection: Selection) {
  const query = { sort, descending: sort !== 'name', ...(q && { q }), offset, limit: TOP_ROWS, ...selection }
  return useQuery({
    queryKey: keys.view('top', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/top', { params: { path: pathOf(profileId), query }, signal })),
    placeholderData: keepPreviousData,
    ...lasting,
  })
}

/** Who calls one function, and what it calls. */
export function useSandwich(profileId: string, name: string, selection: Selection) {
  const query = { name, ...selection }
  return useQuery({
    queryKey: keys.view('sandwich', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/sandwich', { params: { path: pathOf(profileId), query }, signal })),
    enabled: name !== '',
    ...lasting,
  })
}

export type DiffQuery = { base: string; base_t0?: number; base_t1?: number; min_delta?: number }

/** One profile (B) against another one, or another part of its own time (A). */
export function useDiff(profileId: string, wanted: DiffQuery | null, selection: Selection) {
  const query = { base: '', ...wanted, ...selection }
  return useQuery({
    queryKey: keys.view('diff', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/diff', { params: { path: pathOf(profileId), query }, signal })),
    enabled: wanted !== null,
    placeholderData: keepPreviousData,
    ...lasting,
  })
}

/** Samples by second and part of the second. */
export function useHeatmap(profileId: string, rows: number, selection: Selection) {
  const query = { rows, ...selection }
  return useQuery({
    queryKey: keys.view('heatmap', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/heatmap', { params: { path: pathOf(profileId), query }, signal })),
    placeholderData: keepPreviousData,
    ...lasting,
  })
}

type LanesQuery = { by: 'cpu' | 'thread' | 'all' | null; spans: 'thread' | 'leaf' | 'stack'; width: number }

/** Who ran when: runs of neighbouring samples, lane after lane. */
export function useLanes(profileId: string, { by, spans, width }: LanesQuery, selection: Selection) {
  const query = { ...(by && { by }), spans, width, ...selection }
  return useQuery({
    queryKey: keys.view('lanes', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/lanes', { params: { path: pathOf(profileId), query }, signal })),
    placeholderData: keepPreviousData,
    ...lasting,
  })
}
