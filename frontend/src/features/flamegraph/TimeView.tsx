import { useMemo } from 'react'
import { type Profile, useGraph, useWhole } from '../../api'
import { format, type Graph, NO_ROW, search, stackOf } from '../../profile'
import { Button, Notice } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { paintByKind, paintByMatch } from './paint'
import { withoutRange } from './selecting'
import type { GraphState } from './types'
import { usePalette } from './usePalette'

const LEAST_SHARE = 0.0005
const MOST_OFFERED = 8
type Props = { profile: Profile; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** Stacks in the order in which they happened: one box is one uninterrupted stay in a function. */
export function TimeView({ profile, state, onChange }: Props) {
  const palette = usePalette()
  const { selection } = state
  const answer = useGraph(profile.id, { order: 'chronological', inverted: false, keep: [], selection, leastShare: LEAST_SHARE }, profile.is_ordered)
  const cpus = useWhole(profile.id).data?.cpus ?? []
  const graph = answer.data
  const found = useMemo(() => (graph ? search(graph, state.q) : { match: null, error: '' }), [graph, state.q])
  const paint = useMemo(() => graph && (found.match ? paintByMatch(graph, found.match, palette) : paintByKind(graph, palette)), [graph, found.match, palette])
  if (!profile.is_ordered) return <p className={styles.placeholder}>This profile is a summary: it does not say in which order its stacks happened.</p>
  if (answer.error) {
    return (
      <Notice what="The order of time could not be drawn." retry={() => void answer.refetch()}>
        {answer.error.message}
      </Notice>
    )
  }
  if (!graph || !paint) return <div className={styles.shimmer} role="status" aria-label="Loading the order of time" />
  const { first_sample: first, last_sample: last } = graph.columns
  const row = rowOfPlace(graph, state.at)
  const zoom = (at: number) => {
    if (at === NO_ROW || !first || !last) return onChange({ selection: withoutRange(selection) })
    onChange({ selection: { ...withoutRange(selection), from_sample: first[at] ?? 0, to_sample: (last[at] ?? 0) + 1 } })
  }
  const isMixed = cpus.length > 1 && !selection.cpu && !selection.tid
  return (
    <>
      {isMixed && (
        <p className={styles.hint}>
          {cpus.length} CPUs take turns here. One alone reads better:
          {cpus.slice(0, MOST_OFFERED).map(({ cpu }) => (
            <Button key={cpu} onClick={() => onChange({ selection: { ...selection, cpu: [cpu] } })}>
              CPU {cpu}
            </Button>
          ))}
        </p>
      )}
      <FlameCanvas
        graph={graph}
        paint={paint}
        isFlame={false}
        rootLabel={`in the order of time · ${format.count(graph.columns.total_samples)} samples`}
        matchedShare={found.match?.share ?? null}
        selected={row}
        zoomRow={NO_ROW}
        testId="time-graph"
        onSelect={(at) => onChange({ at: placeOf(graph, at) })}
        onZoom={zoom}
      />
      <p className={styles.hint} role="status">
        {row === NO_ROW
          ? 'Enter or a double-click selects the samples of a box for every view.'
          : `${stackOf(graph, row).at(-1)}: samples ${format.count((first?.[row] ?? 0) + 1)}–${format.count((last?.[row] ?? 0) + 1)} · ${format.weight(graph.columns.total[row] ?? 0, graph.columns.unit)}`}
      </p>
    </>
  )
}

/** A box by its first sample and its depth: they stay when the picture is drawn anew. */
function placeOf({ columns }: Graph, row: number): string | null {
  return row === NO_ROW ? null : `${columns.first_sample?.[row] ?? 0}.${columns.depth[row]}`
}

function rowOfPlace({ columns, size }: Graph, place: string | null): number {
  if (place === null) return NO_ROW
  const [sample, depth] = place.split('.').map(Number)
  for (let row = 0; row < size; row++) if (columns.first_sample?.[row] === sample && columns.depth[row] === depth) return row
  return NO_ROW
}
