import { useMemo, useState } from 'react'
import type { Profile } from '../../api'
import { type Graph, nameOf, NO_ROW, nodeOf, rowOfNode, rowsOfNodes, type Search } from '../../profile'
import { Menu, useKeys } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import { frameMenu } from './frameMenu'
import { Legend } from './Legend'
import { paintByKind, paintByMatch } from './paint'
import { Pins } from './Pins'
import { SelectedFrame } from './SelectedFrame'
import type { ClauseNodes, GraphState, Source } from './types'
import { usePalette } from './usePalette'

type Props = {
  profile: Profile
  graph: Graph
  found: Search
  state: GraphState
  cited: ClauseNodes | null
  clauses: readonly ClauseNodes[]
  source: Source | null
  onChange: (change: Partial<GraphState>) => void
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
}

/** The merged stacks as flame or icicle, either way up, with what the selected frame is evidence of. */
export function StackView({ profile, graph, found, state, cited, clauses, source, onChange, onClause, onLines }: Props) {
  const palette = usePalette()
  const [menu, setMenu] = useState<{ row: number; at: { x: number; y: number } } | null>(null)
  const { inverted, node, zoom } = state
  const outlined = useMemo(() => (cited && !inverted ? rowsOfNodes(graph, cited.nodes) : []), [graph, cited, inverted])
  const paint = useMemo(() => (found.match ? paintByMatch(graph, found.match, palette) : paintByKind(graph, palette)), [graph, found.match, palette])
  const rowOf = (at: number | null) => (at === null ? NO_ROW : rowOfNode(graph, at))
  const nodeAt = (row: number) => (row === NO_ROW ? null : nodeOf(graph, row))
  const selected = rowOf(node)
  useKeys({
    s: () => selected !== NO_ROW && onChange({ look: 'sandwich', of: nameOf(graph, selected) }),
  })
  return (
    <>
      <Pins pins={state.pins} graph={graph} onGo={(row) => onChange({ node: nodeAt(row), zoom: null })} onUnpin={(pin) => onChange({ pins: state.pins.filter((other) => other !== pin) })} />
      <FlameCanvas
        graph={graph}
        paint={paint}
        isFlame={state.look === 'flame'}
        rootLabel={rootLabel(profile, graph)}
        matchedShare={found.match?.share ?? null}
        outlined={outlined}
        selected={selected}
        zoomRow={rowOf(zoom)}
        onSelect={(row) => onChange({ node: nodeAt(row) })}
        onZoom={(row) => onChange({ zoom: nodeAt(row) })}
        onMenu={(row, at) => setMenu({ row, at })}
      />
      {menu && <Menu label="This frame" items={frameMenu({ graph, row: menu.row, state, nodeAt, source, onChange })} at={menu.at} onClose={() => setMenu(null)} />}
      <Legend graph={graph} outlinedCount={outlined.length} citedCount={inverted ? 0 : (cited?.nodes.size ?? 0)} clauseName={cited?.words ?? ''} />
      {selected !== NO_ROW && <SelectedFrame graph={graph} row={selected} profileId={profile.id} isInverted={inverted} clauses={clauses} onClause={onClause} onLines={onLines} onSandwich={(of) => onChange({ look: 'sandwich', of })} />}
    </>
  )
}

function rootLabel(profile: Profile, graph: Graph): string {
  const samples = graph.columns.total_samples
  return `all · ${profile.event || 'stacks'} · ${profile.has_weights ? `${samples.toLocaleString('en')} ${samples === 1 ? 'sample' : 'samples'}` : 'stacks without weights'}`
}
