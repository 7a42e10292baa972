import { useMemo } from 'react'
import { type Sandwich, useSandwich } from '../../api'
import { asKind, format, type Graph, indexGraph, KIND_LABELS, nameOf, NO_ROW } from '../../profile'
import { Notice } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { paintByKind } from './paint'
import { TopTable } from './TopTable'
import type { GraphState } from './types'
import { usePalette } from './usePalette'

type Props = { profileId: string; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** The callers and callees of one function, over the whole profile. */
export function SandwichView({ profileId, state, onChange }: Props) {
  const response = useSandwich(profileId, state.of, state.selection)
  if (state.of === '') {
    return (
      <>
        <p className={styles.hint}>Choose a function to see its callers and callees.</p>
        <TopTable profileId={profileId} state={state} onChange={onChange} onFunction={(of) => onChange({ of })} />
      </>
    )
  }
  if (response.error) {
    return (
      <Notice what={`The callers and callees of ${state.of} could not be loaded.`} retry={() => void response.refetch()}>
        {response.error.message}
      </Notice>
    )
  }
  if (!response.data) return <div className={styles.shimmer} role="status" aria-label="Loading callers and callees" />
  return <Slices sandwich={response.data} state={state} onChange={onChange} />
}

function Slices({ sandwich, state, onChange }: { sandwich: Sandwich; state: GraphState; onChange: Props['onChange'] }) {
  const [callers, callees] = useMemo(() => [graphOf(sandwich, 'callers'), graphOf(sandwich, 'callees')], [sandwich])
  const { unit } = sandwich
  return (
    <div className={styles.sandwich} data-testid="sandwich" data-name={sandwich.name} data-total={sandwich.total}>
      <Slice side="callers" graph={callers} state={state} label={`callers of ${sandwich.name}`} onChange={onChange} />
      <p className={styles.sandwichFunction}>
        <code>{sandwich.name}</code>
        <span>
          <strong>{format.share(sandwich.total_share)}</strong> total · {format.weight(sandwich.total, unit)}
        </span>
        <span>
          {format.share(sandwich.self_share)} self · {format.weight(sandwich.self, unit)}
        </span>
        <span className={styles.soft}>
          {KIND_LABELS[asKind(sandwich.kind)]} · {format.count(sandwich.nodes)} stack {sandwich.nodes === 1 ? 'node' : 'nodes'}
        </span>
      </p>
      <Slice side="callees" graph={callees} state={state} label={`callees of ${sandwich.name}`} onChange={onChange} />
    </div>
  )
}

function Slice({ side, graph, state, label, onChange }: { side: 'callers' | 'callees'; graph: Graph; state: GraphState; label: string; onChange: Props['onChange'] }) {
  const palette = usePalette()
  const paint = useMemo(() => paintByKind(graph, palette), [graph, palette])
  const rowOf = (key: string | null) => (key?.startsWith(`${side}:`) ? rowOfKey(graph, key.slice(side.length + 1)) : NO_ROW)
  const keyOf = (row: number) => (row === NO_ROW ? null : `${side}:${rowKey(graph, row)}`)
  return (
    <FlameCanvas
      graph={graph}
      paint={paint}
      isFlame={side === 'callers'}
      rootLabel={`${label} · ${format.weight(graph.columns.total_weight, graph.columns.unit)}`}
      selected={rowOf(state.at)}
      zoomRow={rowOf(state.into)}
      testId={side}
      onSelect={(row) => onChange({ at: keyOf(row) })}
      onZoom={(row) => onChange({ into: keyOf(row) })}
      onMenu={(row) => onChange({ of: nameOf(graph, row) })}
    />
  )
}

/** Identifies a row by node and depth: several rows of callers may have one node. */
const rowKey = ({ columns }: Graph, row: number) => `${columns.node[row]}.${columns.depth[row]}`

function rowOfKey({ columns, size }: Graph, key: string): number {
  const [node, depth] = key.split('.').map(Number)
  for (let row = 0; row < size; row++) if (columns.node[row] === node && columns.depth[row] === depth) return row
  return NO_ROW
}

/** Callers or callees as a graph; its root is the function itself, the first row of the response. */
function graphOf(sandwich: Sandwich, side: 'callers' | 'callees'): Graph {
  const { names, kinds, pruned_nodes, depth, frame, self, node, total } = sandwich[side]
  const [depths, frames, selfs, nodes, totals] = [depth, frame, self, node, total].map((column) => column.slice(1)) as [number[], number[], number[], number[], number[]]
  const { event, unit } = sandwich
  return indexGraph({ event, unit, names, kinds, pruned_nodes, depth: depths, frame: frames, self: selfs, node: nodes, total: totals, total_weight: sandwich.total, total_samples: sandwich.total })
}
