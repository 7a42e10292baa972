import { useMemo } from 'react'
import { useGraph, useSubtree } from '../../api'
import { type Graph, graft, indexGraph } from '../../profile'
import type { ClauseNodes, GraphState } from './types'

type Loaded = { graph: Graph | null; error: Error | null; retry: () => void }

/** The wide part of a profile; below the zoomed frame also what is narrow in the whole. */
export function useLoadedGraph(profileId: string, { order, inverted, zoom }: GraphState, cited: ClauseNodes | null): Loaded {
  const keep = useMemo(() => (cited && !inverted ? [...cited.nodes] : []), [cited, inverted])
  const whole = useGraph(profileId, { order, inverted, keep })
  const base = useMemo(() => (whole.data ? indexGraph(whole.data) : null), [whole.data])
  const zoomRow = zoom === null ? undefined : base?.rowOfNode.get(zoom)
  const zoomShare = zoomRow === undefined ? 0 : (base?.width[zoomRow] ?? 0)
  const isPruned = (whole.data?.pruned_nodes ?? 0) > 0 && !inverted && zoomShare > 0 && zoomShare < 0.5
  const below = useSubtree(profileId, isPruned ? zoom : null, zoomShare, order)
  const graph = useMemo(() => {
    if (!whole.data || zoomRow === undefined || !below.data || !isPruned) return base
    return indexGraph(graft(whole.data, zoomRow, below.data))
  }, [base, whole.data, zoomRow, below.data, isPruned])
  return { graph, error: whole.error, retry: () => void whole.refetch() }
}
