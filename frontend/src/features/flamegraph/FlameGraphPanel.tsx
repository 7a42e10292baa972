import { type ReactNode, useMemo } from 'react'
import { type Profile } from '../../api'
import { NO_ROW, nodeOf, search } from '../../profile'
import { Notice, useKeys } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { Legend } from './Legend'
import { SelectedFrame } from './SelectedFrame'
import { Toolbar } from './Toolbar'
import { TopTable } from './TopTable'
import type { ClauseNodes, GraphState } from './types'
import { useLoadedGraph } from './useLoadedGraph'

type Props = {
  profile: Profile
  state: GraphState
  cited: ClauseNodes | null
  clauses: readonly ClauseNodes[]
  picker: ReactNode
  onChange: (change: Partial<GraphState>) => void
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
}

/** Where the weight of one profile went, with the evidence of the selected condition outlined. */
export function FlameGraphPanel({ profile, state, cited, clauses, picker, onChange, onClause, onLines }: Props) {
  const { graph, error, retry } = useLoadedGraph(profile.id, state, cited)
  const found = useMemo(() => (graph ? search(graph, state.q) : { match: null, error: '' }), [graph, state.q])
  const outlined = useMemo(
    () => (graph && cited && !state.inverted ? [...cited.nodes].flatMap((node) => graph.rowOfNode.get(node) ?? []) : []),
    [graph, cited, state.inverted],
  )
  const rowOf = (node: number | null) => (node === null ? NO_ROW : (graph?.rowOfNode.get(node) ?? NO_ROW))
  const nodeAt = (row: number) => (row === NO_ROW || !graph ? null : nodeOf(graph, row))
  useKeys({
    '0': () => onChange({ zoom: null, node: null }),
    i: () => onChange({ inverted: !state.inverted, zoom: null, node: null }),
  })
  const selected = rowOf(state.node)
  const matched = found.match?.frames ?? null
  return (
    <div className={styles.panel}>
      <Toolbar profile={profile} state={state} found={found} picker={picker} onChange={onChange} />
      {error && (
        <Notice what="This profile could not be drawn." retry={retry}>
          {error.message} Findings and raw evidence are not affected.
        </Notice>
      )}
      {!graph && !error && <div className={styles.shimmer} role="status" aria-label="Loading the flame graph" />}
      {graph && state.look === 'table' && (
        <TopTable graph={graph} matched={matched} onPick={(name) => onChange({ look: 'flame', q: `^${escaped(name)}$` })} />
      )}
      {graph && state.look !== 'table' && (
        <FlameCanvas
          graph={graph}
          isFlame={state.look === 'flame'}
          rootLabel={rootLabel(profile)}
          matched={matched}
          matchedShare={found.match?.share ?? null}
          outlined={outlined}
          selected={selected}
          zoomRow={rowOf(state.zoom)}
          onSelect={(row) => onChange({ node: nodeAt(row) })}
          onZoom={(row) => onChange({ zoom: nodeAt(row) })}
        />
      )}
      {graph && <Legend graph={graph} outlinedCount={outlined.length} citedCount={state.inverted ? 0 : (cited?.nodes.size ?? 0)} clauseName={cited?.words ?? ''} />}
      {graph && selected !== NO_ROW && state.look !== 'table' && (
        <SelectedFrame graph={graph} row={selected} profileId={profile.id} isInverted={state.inverted} clauses={clauses} onClause={onClause} onLines={onLines} />
      )}
    </div>
  )
}

function rootLabel(profile: Profile): string {
  const samples = `${profile.samples.toLocaleString('en')} ${profile.samples === 1 ? 'sample' : 'samples'}`
  return `all · ${profile.event || 'stacks'} · ${profile.has_weights ? samples : 'stacks without weights'}`
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
