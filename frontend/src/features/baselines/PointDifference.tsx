import { useMemo } from 'react'
import { useBaselineDiff } from '../../api'
import { Notice } from '../../ui'
import { Comparison, type GraphState, LEAST_DELTA, NO_GRAPH_STATE } from '../flamegraph'
import styles from './baselines.module.css'
import type { TrendSearch } from './search'

type Props = { baseline: string; a: string; b: string; search: TrendSearch; onChange: (change: { [Key in keyof TrendSearch]: TrendSearch[Key] | undefined | null }, options: { replace: boolean }) => void }

/** The flame graph difference of two points: A is the base. */
export function PointDifference({ baseline, a, b, search, onChange }: Props) {
  const state = useMemo<GraphState>(
    () => ({ ...NO_GRAPH_STATE, look: 'diff', q: search.q ?? '', zoom: search.zoom ?? null, node: search.node ?? null, leastDelta: search.least ?? LEAST_DELTA, widthBy: search.width ?? 'both' }),
    [search],
  )
  const { data, error, refetch } = useBaselineDiff(baseline, b, a, state.leastDelta)
  const change = ({ zoom, node, q, leastDelta, widthBy }: Partial<GraphState>) =>
    onChange(
      {
        ...(zoom !== undefined && { zoom }),
        ...(node !== undefined && { node }),
        ...(q !== undefined && { q }),
        ...(leastDelta !== undefined && { least: leastDelta === LEAST_DELTA ? null : leastDelta }),
        ...(widthBy !== undefined && { width: widthBy === 'both' ? null : widthBy }),
      },
      { replace: zoom === undefined && leastDelta === undefined && widthBy === undefined },
    )
  if (error)
    return (
      <Notice what="The difference could not be loaded." retry={() => void refetch()}>
        {error.message}
      </Notice>
    )
  if (!data) return <div className={styles.waiting} role="status" aria-label="Loading the difference" />
  return <Comparison diff={data} state={state} onChange={change} />
}
