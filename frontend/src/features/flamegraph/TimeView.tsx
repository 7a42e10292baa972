import { useMemo } from 'react'
import { type Profile, useGraph, useWhole } from '../../api'
import { format, type Graph, NO_ROW, search, stackOf } from '../../profile'
import { Button, Notice } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { paintByKind, paintByMatch } from './paint'
import { withoutRange } from './selection'
import type { GraphState } from './types'
import { usePalette } from './usePalette'

const MIN_SHARE = 0.0005
const MAX_CPU_BUTTONS = 8
type Props = { profile: Profile; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** Stacks in time order (flame chart): one box is one uninterrupted run of samples in a function. */
export function TimeView({ profile, state, onChange }: Props) {
  const palette = usePalette()
  const { selection } = state
  const response = useGraph(profile.id, { order: 'chronological', inverted: false, keep: [], selection, leastShare: MIN_SHARE }, profile.is_ordered)
  const cpus = useWhole(profile.id).data?.cpus ?? []
  const graph = response.data
  const result = useMemo(() => (graph ? search(graph, state.q) : { match: null, error: '' }), [graph, state.q])
  const paint = useMemo(() => graph && (result.match ? paintByMatch(graph, result.match, palette) : paintByKind(graph, palette)), [graph, result.match, palette])
  if (!profile.is_ordered) return <p className={styles.placeholder}>This profile is aggregated: it has no sample order.</p>
  if (response.error) {
    return (
      <Notice what="The time view could not be loaded." retry={() => void response.refetch()}>
        {response.error.message}
      </Notice>
    )
  }
  if (!graph || !paint) return <div className={styles.shimmer} role="status" aria-label="Loading the time view" />
  const { first_sample: first, last_sample: last } = graph.columns
  const row = rowOfKey(graph, state.at)
  const zoom = (at: number) => {
    if (at === NO_ROW || !first || !last) return onChange({ selection: withoutRange(selection) })
    onChange({ selection: { ...withoutRange(selection), from_sample: first[at] ?? 0, to_sample: (last[at] ?? 0) + 1 } })
  }
  const isMixed = cpus.length > 1 && !selection.cpu && !selection.tid
  return (
    <>
      {isMixed && (
        <p className={styles.hint}>
          Samples of {cpus.length} CPUs are interleaved. Select one CPU:
          {cpus.slice(0, MAX_CPU_BUTTONS).map(({ cpu }) => (
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
        rootLabel={`time order · ${format.count(graph.columns.total_samples)} samples`}
        matchedShare={result.match?.share ?? null}
        selected={row}
        zoomRow={NO_ROW}
        testId="time-graph"
        axisOf={(share) => axisLabel(graph, share)}
        onSelect={(at) => onChange({ at: boxKey(graph, at) })}
        onZoom={zoom}
      />
      <p className={styles.hint} role="status">
        {row === NO_ROW
          ? 'Enter or double-click selects the samples of a box for all views.'
          : `${stackOf(graph, row).at(-1)}: samples ${format.count((first?.[row] ?? 0) + 1)}–${format.count((last?.[row] ?? 0) + 1)} · ${format.weight(graph.columns.total[row] ?? 0, graph.columns.unit)}`}
      </p>
    </>
  )
}

/** The axis has the weight of the samples before a position; one unit for all labels. */
function axisLabel({ columns }: Graph, share: number): string {
  return format.weight(share * columns.total_weight, columns.unit)
}

/** Identifies a box by its first sample and its depth, which are stable across requests. */
function boxKey({ columns }: Graph, row: number): string | null {
  return row === NO_ROW ? null : `${columns.first_sample?.[row] ?? 0}.${columns.depth[row]}`
}

function rowOfKey({ columns, size }: Graph, key: string | null): number {
  if (key === null) return NO_ROW
  const [sample, depth] = key.split('.').map(Number)
  for (let row = 0; row < size; row++) if (columns.first_sample?.[row] === sample && columns.depth[row] === depth) return row
  return NO_ROW
}
