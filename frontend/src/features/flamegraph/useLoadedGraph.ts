import { useMemo } from 'react'
import { type LoadedGraph, useGraph, useSubtree } from '../../api'
import { depthOf, type Graph, graft, indexGraph, NO_ROW, nodeOf } from '../../profile'
import { zoomedRow } from './rowKeys'
import type { ClauseNodes, GraphState } from './types'

type Loaded = { graph: Graph | null; whole: LoadedGraph['columns']['whole'] | undefined; error: Error | null; isFresh: boolean; retry: () => void }

/** Loads the graph of a profile without narrow frames, and the subtree of the zoomed frame with them. */
export function useLoadedGraph(profileId: string, state: GraphState, cited: ClauseNodes | null): Loaded {
  const { order, inverted, selection } = state
  const keep = useMemo(() => (cited && !inverted ? [...cited.nodes] : []), [cited, inverted])
  const loaded = useGraph(profileId, { order, inverted, keep, selection })
  const base = loaded.data ?? null
  const zoomRow = base ? zoomedRow(base, state) : NO_ROW
  const zoomShare = base?.width[zoomRow] ?? 0
  const isPruned = (base?.columns.pruned_nodes ?? 0) > 0 && zoomShare > 0 && zoomShare < 0.5
  const below = useSubtree(profileId, { node: base && isPruned ? (inverted ? (base.columns.leaf?.[zoomRow] ?? null) : nodeOf(base, zoomRow)) : null, inverted, depth: base ? depthOf(base, zoomRow) : 0, share: zoomShare, order, selection })
  const graph = useMemo(() => {
    if (!base || zoomRow === NO_ROW || !below.data || !isPruned) return base
    return indexGraph(graft(base.columns, zoomRow, below.data.columns))
  }, [base, zoomRow, below.data, isPruned])
  return { graph, whole: base?.columns.whole, error: loaded.error, isFresh: !loaded.isPlaceholderData, retry: () => void loaded.refetch() }
}
