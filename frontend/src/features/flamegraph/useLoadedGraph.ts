import { useMemo, useState } from 'react'
import { commandFilter, type LoadedGraph, useGraph, useSubtree } from '../../api'
import { commandRow, depthOf, type Graph, graft, indexGraph, NO_ROW, nameOf, nodeOf, openingRow, rowsOfNodes } from '../../profile'
import { zoomedRow } from './rowKeys'
import type { ClauseNodes, GraphState } from './types'

type Loaded = {
  graph: Graph | null
  /** The row that is zoomed into: the chosen one, or the one that the graph opens on. */
  zoomRow: number
  whole: LoadedGraph['columns']['whole'] | undefined
  error: Error | null
  retry: () => void
}

/** Loads the graph of a profile without narrow frames, and the subtree of the zoomed frame with them. */
export function useLoadedGraph(profileId: string, state: GraphState, cited: ClauseNodes | null): Loaded {
  const { order, inverted, selection } = state
  // Nodes of the link are rows of their own, however narrow, and when they are joined with others.
  const [linked] = useState(() => [state.zoom, state.node].filter((node) => node !== null))
  const keep = useMemo(() => (inverted ? [] : [...new Set([...(cited?.nodes ?? []), ...linked])]), [cited, inverted, linked])
  const joinsNameless = !state.showsNameless
  const loaded = useGraph(profileId, { order, inverted, keep, selection, joinsNameless })
  const base = loaded.data ?? null
  const opening = useMemo(() => (base && !inverted ? openingRow(base, cited ? rowsOfNodes(base, cited.nodes) : []) : NO_ROW), [base, inverted, cited])
  const chosen = base ? zoomedRow(base, state) : NO_ROW
  const zoomRow = chosen === NO_ROW && !state.isWhole ? opening : chosen
  const zoomShare = base?.width[zoomRow] ?? 0
  const command = base && zoomRow !== NO_ROW && !inverted ? commandRow(base, zoomRow) : NO_ROW
  // Of a node that several commands pass through, the part of this one.
  const isInCommand = base !== null && command !== NO_ROW && command !== zoomRow
  const isPruned = (base?.columns.pruned_nodes ?? 0) > 0 && zoomShare > 0 && zoomShare < 0.5
  const below = useSubtree(profileId, {
    node: base && isPruned ? (inverted ? (base.columns.leaf?.[zoomRow] ?? null) : nodeOf(base, zoomRow)) : null,
    inverted,
    depth: base ? depthOf(base, zoomRow) : 0,
    share: isInCommand ? zoomShare / (base.width[command] || 1) : zoomShare,
    order,
    selection: isInCommand ? { ...selection, ...commandFilter(nameOf(base, command)) } : selection,
    joinsNameless,
  })
  const graph = useMemo(() => {
    if (!base || zoomRow === NO_ROW || !below.data || !isPruned) return base
    return indexGraph(graft(base.columns, zoomRow, below.data.columns))
  }, [base, zoomRow, below.data, isPruned])
  return { graph, zoomRow, whole: base?.columns.whole, error: loaded.error, retry: () => void loaded.refetch() }
}
