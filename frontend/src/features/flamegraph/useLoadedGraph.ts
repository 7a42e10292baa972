import { useMemo } from 'react'
import { useGraph, useSubtree } from '../../api'
import { type Graph, graft, indexGraph, NO_ROW, rowOfNode } from '../../profile'
import type { ClauseNodes, GraphState } from './types'

type Loaded = { graph: Graph | null; error: Error | null; retry: () => void }

/** The wide part of a profile; below the zoomed frame also what is narrow in the whole. */
export function useLoadedGraph(profileId: string, { order, inverted, zoom }: GraphState, cited: ClauseNodes | null): Loaded {
  const keep = useMemo(() => (cited && !inverted ? [...cited.nodes] : []), [cited, inverted])
  const whole = useGraph(profileId, { order, inverted, keep })
  const base = whole.data ?? null
  const zoomRow = zoom === null || !base ? NO_ROW : rowOfNode(base, zoom)
  const zoomShare = base?.width[zoomRow] ?? 0
  const isPruned = (base?.columns.pruned_nodes ?? 0) > 0 && !inverted && zoomShare > 0 && zoomShare < 0.5
  const below = useSubtree(profileId, isPruned ? zoom : null, zoomShare, order)
  const graph = useMemo(() => {
    if (!base || zoomRow === NO_ROW || !below.data || !isPruned) return base
    return indexGraph(graft(base.columns, zoomRow, below.data.columns))
  }, [base, zoomRow, below.data, isPruned])
  return { graph, error: whole.error, retry: () => void whole.refetch() }
}
