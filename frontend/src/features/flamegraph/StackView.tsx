import { useMemo, useState } from 'react'
import { draftSignature, type Profile } from '../../api'
import { exactly, type Graph, kindOf, nameOf, NO_ROW, nodeOf, rowsOfNodes, type Search } from '../../profile'
import { Menu, save, useKeys, useToast } from '../../ui'
import { FlameCanvas } from './FlameCanvas'
import styles from './flamegraph.module.css'
import { frameMenu } from './frameMenu'
import { FunctionList } from './FunctionList'
import { Legend } from './Legend'
import { paintByKind, paintByMatch } from './paint'
import { selectedRow, selectRow, zoomToRow } from './rowKeys'
import { SelectedFrame } from './SelectedFrame'
import type { ClauseNodes, GraphState, Source } from './types'
import { usePalette } from './usePalette'

type Props = {
  profile: Profile
  graph: Graph
  zoomRow: number
  result: Search
  state: GraphState
  cited: ClauseNodes | null
  clauses: readonly ClauseNodes[]
  source: Source | null
  onChange: (change: Partial<GraphState>) => void
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
}

/** The flame or icicle graph, normal or inverted, with legend and the selected frame. */
export function StackView({ profile, graph, zoomRow, result, state, cited, clauses, source, onChange, onClause, onLines }: Props) {
  const palette = usePalette()
  const [menu, setMenu] = useState<{ row: number; at: { x: number; y: number } } | null>(null)
  const { inverted } = state
  const outlined = useMemo(() => (cited && !inverted ? rowsOfNodes(graph, cited.nodes) : []), [graph, cited, inverted])
  const paint = useMemo(() => (result.match ? paintByMatch(graph, result.match, palette) : paintByKind(graph, palette)), [graph, result.match, palette])
  const nodeAt = (row: number) => (row === NO_ROW ? null : nodeOf(graph, row))
  const isFunction = (row: number) => row !== NO_ROW && !['command', 'nameless'].includes(kindOf(graph, row))
  const selected = selectedRow(graph, state)
  const toast = useToast()
  const draft = async (at: number) => {
    try {
      save(await draftSignature(profile.id, at), 'signature.yaml', 'application/yaml')
      toast('Saved signature.yaml. The draft has only this positive example; its header lists the remaining steps.')
    } catch (error) {
      toast(`The signature could not be drafted. ${(error as Error).message}`, { isError: true })
    }
  }
  useKeys({
    s: () => isFunction(selected) && onChange({ look: 'sandwich', of: nameOf(graph, selected) }),
  })
  return (
    <>
      <div className={styles.stacks}>
        <div className={styles.beside}>
          <FlameCanvas
            graph={graph}
            paint={paint}
            isFlame={state.look === 'flame'}
            rootLabel={rootLabel(profile, graph)}
            matchedShare={result.match?.share ?? null}
            outlined={outlined}
            selected={selected}
            zoomRow={zoomRow}
            onSelect={(row) => onChange(selectRow(graph, state, row))}
            onZoom={(row) => onChange(zoomToRow(graph, state, row))}
            onMenu={(row, at) => setMenu({ row, at })}
          />
          <div className={styles.side}>
            <FunctionList
              profileId={profile.id}
              selection={state.selection}
              order={state.sort === 'total' ? 'total' : 'self'}
              selected={selected === NO_ROW ? '' : nameOf(graph, selected)}
              onOrder={(sort) => onChange({ sort })}
              onFunction={(name) => onChange({ q: exactly(name) === state.q ? '' : exactly(name) })}
              onSandwich={(of) => onChange({ look: 'sandwich', of })}
            />
            {selected === NO_ROW ? (
              <p className={styles.readout} data-empty>
                <span className={styles.soft}>Select a frame for its weights, citations and callers.</span>
              </p>
            ) : (
              <SelectedFrame graph={graph} row={selected} profileId={profile.id} isInverted={inverted} clauses={clauses} onClause={onClause} onLines={onLines} onSandwich={(of) => onChange({ look: 'sandwich', of })} onExpand={() => onChange({ showsNameless: true, zoom: null, node: null })} />
            )}
          </div>
        </div>
      </div>
      {menu && <Menu label="This frame" items={frameMenu({ graph, row: menu.row, state, nodeAt, source, onDraft: (at) => void draft(at), onChange })} at={menu.at} onClose={() => setMenu(null)} />}
      <Legend graph={graph} outlined={outlined} citedCount={inverted ? 0 : (cited?.nodes.size ?? 0)} clauseName={cited?.label ?? ''} />
    </>
  )
}

function rootLabel(profile: Profile, graph: Graph): string {
  const samples = graph.columns.total_samples
  return `all · ${profile.event || 'stacks'} · ${profile.has_weights ? `${samples.toLocaleString('en')} ${samples === 1 ? 'sample' : 'samples'}` : 'stacks without weights'}`
}
