import { useMemo } from 'react'
import { type LoadedGraph, useGraph, useSubtree } from '../../api'
import { type Graph, graft, indexGraph, NO_ROW, rowOfNode } from '../../profile'
import type { ClauseNodes, GraphState } from './types'

type Loaded = { graph: Graph | null; whole: LoadedGraph['columns']['whole'] | undefined; error: Error | null; isFresh: boolean; retry: () => void }

/** The wide part of a profile; below the zoomed frame also what is narrow in the whole. */
export function useLoadedGraph(profileId: string, { order, inverted, zoom, selection }: GraphState, cited: ClauseNodes | null): Loaded {
  const keep = useMemo(() => (cited && !inverted ? [...cited.nodes] : []), [cited, inverted])
  const loaded = useGraph(profileId, { order, inverted, keep, selection })
  const base = loaded.data ?? null
  const zoomRow = zoom === null || !base ? NO_ROW : rowOfNode(base, zoom)
  const zoomShare = base?.width[zoomRow] ?? 0
  const isPruned = (base?.columns.pruned_nodes ?? 0) > 0 && !inverted && zoomShare > 0 && zoomShare < 0.5
  const below = useSubtree(profileId, { node: isPruned ? zoom : null, share: zoomShare, order, selection })
  const graph = useMemo(() => {
    if (!base || zoomRow === NO_ROW || !below.data || !isPruned) return base
    return indexGraph(graft(base.columns, zoomRow, below.data.columns))
  }, [base, zoomRow, below.data, isPruned])
  return { graph, whole: base?.columns.whole, error: loaded.error, isFresh: !loaded.isPlaceholderData, retry: () => void loaded.refetch() }
}
