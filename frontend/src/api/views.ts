import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Graph } from '../profile'
import { client, take } from './client'
import { indexInWorker } from './graphWorker'
import { keys } from './keys'
import type { Selection } from './selection'
import type { Whole } from './types'

type Query = Record<string, unknown>

/** An API URL with query parameters; arrays repeat the parameter. */
export function apiUrl(path: string, query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined && one !== null) parameters.append(name, String(one))
  return `/api/v1${path}?${parameters}`
}

export type StackOrder = 'left-heavy' | 'alpha' | 'time'
export type GraphView = { order: StackOrder | 'chronological'; inverted: boolean; keep: readonly number[]; selection: Selection; leastShare?: number; joinsNameless?: boolean }

const NO_COMMAND = '[no name]'

/** The selection of one command, by its name in the graph. */
export const commandFilter = (name: string): Selection => ({ comm: [name === NO_COMMAND ? '' : name] })

/** Merged stacks begin with their command. */
const arrangement = (isArranged: boolean, joinsNameless: boolean) => (isArranged ? { by_command: true, ...(joinsNameless && { join_nameless: true }) } : {})

/** A graph with the totals of the whole recording. */
export type LoadedGraph = Graph & { columns: Graph['columns'] & { whole?: Whole } }

/** Frames below this share of the total are omitted; their parents' totals include them. */
export const MIN_SHARE = 0.001

/** Limit on node ids, so that the request line is not too long. */
export const MAX_INCLUDED_NODES = 800

/** Page size of the function table. */
export const TOP_ROWS = 200

/** Profiles are immutable, so views never go stale. */
const immutable = { staleTime: Infinity, structuralSharing: false } as const
const pathOf = (profileId: string) => ({ profile_id: profileId })

/** The graph of frames above the minimum share; `keep` lists nodes to include at any width. */
export function useGraph(profileId: string, { order, inverted, keep, selection, leastShare = MIN_SHARE, joinsNameless = true }: GraphView, enabled = true) {
  const query = { ...arrangement(!inverted && order !== 'chronological', joinsNameless), min_share: leastShare, order, inverted, ...(order !== 'chronological' && { compact: true }), ...(keep.length > 0 && { keep: keep.slice(0, MAX_INCLUDED_NODES).join(',') }), ...selection }
  return useQuery({
    queryKey: keys.graph(profileId, query),
    queryFn: async ({ signal }) =>
      indexInWorker<LoadedGraph>(await take(client.GET('/api/v1/profiles/{profile_id}/graph', { params: { path: pathOf(profileId), query }, parseAs: 'arrayBuffer', signal }))),
    enabled,
    placeholderData: keepPreviousData,
    ...immutable,
  })
}

/** In an inverted graph `node` is the last node of a stack in the row, and `depth` the depth of the row. */
type SubtreeQuery = { node: number | null; inverted: boolean; depth: number; share: number; order: StackOrder; selection: Selection; joinsNameless: boolean }

/** Descendants of one row above `MIN_SHARE` of that row; `share` is the row's share of the total. */
export function useSubtree(profileId: string, { node, inverted, depth, share, order, selection, joinsNameless }: SubtreeQuery) {
  const query = { ...arrangement(!inverted, joinsNameless), node: node ?? 0, min_share: MIN_SHARE * share, order, compact: true, ...(inverted && { inverted, depth }), ...selection }
  return useQuery({
    queryKey: keys.view('subtree', profileId, query),
    queryFn: async ({ signal }) =>
      indexInWorker<LoadedGraph>(await take(client.GET('/api/v1/profiles/{profile_id}/subtree', { params: { path: pathOf(profileId), query }, parseAs: 'arrayBuffer', signal }))),
    enabled: node !== null,
    ...immutable,
  })
}

/** Download URL of the selected samples in a file format. */
export function exportUrl(profileId: string, format: 'folded' | 'speedscope.json' | 'firefox.json' | 'svg', selection: Selection, more: Query = {}): string {
  return apiUrl(`/profiles/${profileId}${format === 'folded' ? '/' : '.'}${format}`, { ...selection, ...more, download: true })
}

/** Totals of the whole recording, independent of the selection: weight, idle, unresolved and lost samples, threads. */
export function useWhole(profileId: string) {
  return useQuery({
    queryKey: keys.view('whole', profileId, {}),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/whole', { params: { path: pathOf(profileId) }, signal })),
    ...immutable,
  })
}

type TopQuery = { sort: 'self' | 'total' | 'name'; q: string; offset: number }

/** Functions ranked by self or total weight. */
export function useTop(profileId: string, { sort, q, offset }: TopQuery, selection: Selection) {
  const query = { sort, descending: sort !== 'name', ...(q && { q }), offset, limit: TOP_ROWS, ...selection }
  return useQuery({
    queryKey: keys.view('top', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/top', { params: { path: pathOf(profileId), query }, signal })),
    enabled: profileId !== '',
    placeholderData: keepPreviousData,
    ...immutable,
  })
}

/** Callers and callees of one function. */
export function useSandwich(profileId: string, name: string, selection: Selection) {
  const query = { name, ...selection }
  return useQuery({
    queryKey: keys.view('sandwich', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/sandwich', { params: { path: pathOf(profileId), query }, signal })),
    enabled: name !== '',
    ...immutable,
  })
}

export type DiffQuery = { base: string; base_t0?: number; base_t1?: number; min_delta?: number }

/** Difference between this profile (B) and a base profile or time range (A). */
export function useDiff(profileId: string, diff: DiffQuery | null, selection: Selection) {
  const query = { base: '', ...diff, ...selection }
  return useQuery({
    queryKey: keys.view('diff', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/diff', { params: { path: pathOf(profileId), query }, signal })),
    enabled: diff !== null,
    placeholderData: keepPreviousData,
    ...immutable,
  })
}

/** A row of the graph by command whose share the heat map shows; a command is a node too. */
export type HeatNode = { node: number; command: string | null; joinsNameless: boolean }

/** Samples per second and sub-second bucket, and those through a node. */
export function useHeatmap(profileId: string, rows: number, selection: Selection, enabled = true, row: HeatNode | null = null) {
  const query = { rows, ...(row && { node: row.node, ...(row.joinsNameless && { join_nameless: true }) }), ...selection, ...(row?.command && commandFilter(row.command)) }
  return useQuery({
    queryKey: keys.view('heatmap', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/heatmap', { params: { path: pathOf(profileId), query }, signal })),
    enabled,
    placeholderData: keepPreviousData,
    ...immutable,
  })
}

type LanesQuery = { by: 'cpu' | 'thread' | 'all' | null; spans: 'thread' | 'leaf' | 'stack'; width: number }

/** Runs of adjacent samples per CPU or thread. */
export function useLanes(profileId: string, { by, spans, width }: LanesQuery, selection: Selection) {
  const query = { ...(by && { by }), spans, width, ...selection }
  return useQuery({
    queryKey: keys.view('lanes', profileId, query),
    queryFn: ({ signal }) => take(client.GET('/api/v1/profiles/{profile_id}/lanes', { params: { path: pathOf(profileId), query }, signal })),
    placeholderData: keepPreviousData,
    ...immutable,
  })
}
