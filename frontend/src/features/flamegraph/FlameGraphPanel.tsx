import { type ReactNode, useMemo, useState } from 'react'
import { type Profile } from '../../api'
import { exactly, nextMatch, NO_ROW, nodeOf, rowOfNode, rowsOfNodes, search } from '../../profile'
import { Menu, Notice, useKeys } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { frameMenu } from './frameMenu'
import { Legend } from './Legend'
import { paintByKind, paintByMatch } from './paint'
import { SelectedFrame } from './SelectedFrame'
import { Toolbar } from './Toolbar'
import { TopTable } from './TopTable'
import type { ClauseNodes, GraphState, Source } from './types'
import { useLoadedGraph } from './useLoadedGraph'
import { usePalette } from './usePalette'

type Props = {
  profile: Profile
  state: GraphState
  cited: ClauseNodes | null
  clauses: readonly ClauseNodes[]
  source: Source | null
  picker: ReactNode
  onChange: (change: Partial<GraphState>) => void
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
}

/** Where the weight of one profile went, with the evidence of the selected condition outlined. */
export function FlameGraphPanel({ profile, state, cited, clauses, source, picker, onChange, onClause, onLines }: Props) {
  const { graph, error, retry } = useLoadedGraph(profile.id, state, cited)
  const palette = usePalette()
  const [menu, setMenu] = useState<{ row: number; at: { x: number; y: number } } | null>(null)
  const found = useMemo(() => (graph ? search(graph, state.q) : { match: null, error: '' }), [graph, state.q])
  const outlined = useMemo(() => (graph && cited && !state.inverted ? rowsOfNodes(graph, cited.nodes) : []), [graph, cited, state.inverted])
  const paint = useMemo(() => graph && (found.match ? paintByMatch(graph, found.match, palette) : paintByKind(graph, palette)), [graph, found.match, palette])
  const rowOf = (node: number | null) => (node === null || !graph ? NO_ROW : rowOfNode(graph, node))
  const nodeAt = (row: number) => (row === NO_ROW || !graph ? null : nodeOf(graph, row))
  const selected = rowOf(state.node)
  const match = found.match
  const goTo = (by: 1 | -1) => graph && match && onChange({ node: nodeAt(nextMatch(graph, match.frames, selected, by)) })
  useKeys({
    '0': () => onChange({ zoom: null, node: null }),
    i: () => onChange({ inverted: !state.inverted, zoom: null, node: null }),
    w: () => onChange({ isWide: !state.isWide }),
    ...(match && { n: () => goTo(1), N: () => goTo(-1) }),
  })
  return (
    <div className={styles.panel}>
      <Toolbar profile={profile} state={state} found={found} picker={picker} onChange={onChange} onNext={goTo} />
      {error && (
        <Notice what="This profile could not be drawn." retry={retry}>
          {error.message} Findings and raw evidence are not affected.
        </Notice>
      )}
      {!graph && !error && <div className={styles.shimmer} role="status" aria-label="Loading the flame graph" />}
      {graph && state.look === 'table' && (
        <TopTable graph={graph} matched={match?.frames ?? null} onPick={(name) => onChange({ look: 'flame', q: exactly(name) })} />
      )}
      {graph && paint && state.look !== 'table' && (
        <FlameCanvas
          graph={graph}
          paint={paint}
          isFlame={state.look === 'flame'}
          rootLabel={rootLabel(profile)}
          matchedShare={match?.share ?? null}
          outlined={outlined}
          selected={selected}
          zoomRow={rowOf(state.zoom)}
          onSelect={(row) => onChange({ node: nodeAt(row) })}
          onZoom={(row) => onChange({ zoom: nodeAt(row) })}
          onMenu={(row, at) => setMenu({ row, at })}
        />
      )}
      {graph && menu && <Menu label="This frame" items={frameMenu({ graph, row: menu.row, nodeAt, source, onChange })} at={menu.at} onClose={() => setMenu(null)} />}
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
