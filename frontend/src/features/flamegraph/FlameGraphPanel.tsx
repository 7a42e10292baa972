import { type ReactNode, useMemo, useRef } from 'react'
import { type Profile } from '../../api'
import { commandOf, format, type Graph, labelOf, nextMatch, NO_ROW, nodeOf, search } from '../../profile'
import { Notice, useKeys } from '../../ui'
import { proposeBaselines } from './baseline'
import { Breadcrumb } from './Breadcrumb'
import { DiffView } from './DiffView'
import { Downloads } from './Downloads'
import styles from './flamegraph.module.css'
import { FrameCases } from './FrameCases'
import { type HeatRow, HeatStrip } from './HeatStrip'
import { LanesView } from './LanesView'
import { Pins } from './Pins'
import { ProfileSummary } from './ProfileSummary'
import { selectedRow, selectRow, zoomToRow } from './rowKeys'
import { SandwichView } from './SandwichView'
import { withRange } from './selection'
import { FilterChips, filterCount, Selectors } from './Selectors'
import { StackView } from './StackView'
import { TimeView } from './TimeView'
import { Toolbar } from './Toolbar'
import { TopTable } from './TopTable'
import type { ClauseNodes, GraphState, Source } from './types'
import { useLoadedGraph } from './useLoadedGraph'

type Props = {
  profile: Profile
  profiles: readonly Profile[]
  state: GraphState
  cited: ClauseNodes | null
  clauses: readonly ClauseNodes[]
  source: Source | null
  /** The control that selects the view. */
  views: ReactNode
  /** The control that selects the profile. */
  picker: ReactNode
  /** The control that selects the baseline of a comparison. */
  baseChooser: ReactNode
  onChange: (change: Partial<GraphState>) => void
  onProfile: (id: string) => void
  onClause: (clause: ClauseNodes) => void
  onLines: (evidenceId: string, line: number) => void
}

/** All views of one profile, with the frames cited by the selected condition outlined. */
export function FlameGraphPanel({ profile, profiles, state, cited, clauses, source, views, picker, baseChooser, onChange, onProfile, onClause, onLines }: Props) {
  const { graph, zoomRow, whole, error, retry } = useLoadedGraph(profile.id, state, cited)
  const view = useRef<HTMLDivElement>(null)
  const result = useMemo(() => (graph ? search(graph, state.q) : { match: null, error: '' }), [graph, state.q])
  const siblings = useMemo(() => profiles.filter((one) => one.evidence_id === profile.evidence_id && one.section === profile.section), [profiles, profile])
  const { match } = result
  const { look } = state
  const isStacks = look === 'flame' || look === 'icicle'
  const goTo = (by: 1 | -1) => {
    if (!graph || !match) return
    const row = nextMatch(graph, match.frames, selectedRow(graph, state), by)
    if (row !== NO_ROW) onChange(selectRow(graph, state, row))
  }
  useKeys({
    '0': () => onChange({ zoom: null, node: null, isWhole: true }),
    i: () => onChange({ inverted: !state.inverted, zoom: null, node: null, ...(isStacks ? {} : { look: 'flame' }) }),
    ...(match && isStacks && { n: () => goTo(1), N: () => goTo(-1) }),
  })
  const heatRow = useMemo(() => (graph && (isStacks || look === 'lanes') && !state.inverted ? rowOfHeat(graph, selectedRow(graph, state), zoomRow, state) : null), [graph, isStacks, look, state, zoomRow])
  return (
    <div className={styles.panel}>
      <Toolbar
        state={state}
        result={result}
        views={views}
        filters={<Selectors profile={profile} siblings={siblings} state={state} onProfile={onProfile} onChange={onChange} />}
        filterCount={filterCount(state)}
        downloads={<Downloads profile={profile} state={state} view={view} caption={`${profile.evidence_name} · ${profile.event} · ${format.count(profile.samples)} samples`} />}
        onChange={onChange}
        onNext={goTo}
      />
      <Breadcrumb graph={isStacks ? graph : null} row={zoomRow} onZoom={(row) => graph && onChange(zoomToRow(graph, state, row))}>
        {look !== 'diff' && <FilterChips profileId={profile.id} state={state} onChange={onChange} />}
        <span className={styles.atEnd}>{picker}</span>
      </Breadcrumb>
      <Pins state={state} graph={graph} onChange={onChange} />
      {hasTimes(profile) && look !== 'diff' && (
        <HeatStrip profileId={profile.id} selection={state.selection} row={heatRow} isOverLanes={look === 'lanes'} onSelect={(range) => onChange({ selection: withRange(state.selection, range), zoom: null, node: null })} />
      )}
      {error && isStacks && (
        <Notice what="The flame graph could not be loaded." retry={retry}>
          {error.message} Findings and raw evidence are not affected.
        </Notice>
      )}
      <div ref={view} className={styles.view}>
        {!graph && !error && isStacks && <div className={styles.shimmer} role="status" aria-label="Loading the flame graph" />}
        {look === 'lanes' && <LanesView profile={profile} state={state} onChange={onChange} />}
        {graph && (isStacks || look === 'lanes') && (
          <StackView profile={profile} graph={graph} zoomRow={zoomRow} result={result} state={state} cited={cited} clauses={clauses} source={source} onChange={onChange} onClause={onClause} onLines={onLines} />
        )}
        {look === 'time' && <TimeView profile={profile} state={state} onChange={onChange} />}
        {look === 'sandwich' && <SandwichView profileId={profile.id} state={state} onChange={onChange} />}
        {look === 'table' && <TopTable profileId={profile.id} state={state} onChange={onChange} />}
        {look === 'diff' && <DiffView profile={profile} base={profiles.find(({ id }) => id === state.base)} proposals={proposeBaselines(profile, profiles)} state={state} chooser={baseChooser} onChange={onChange} />}
      </div>
      {state.casesOf && <FrameCases name={state.casesOf} profileId={profile.id} onClose={() => onChange({ casesOf: '' })} />}
      {graph && whole && look !== 'diff' && (
        <ProfileSummary whole={whole} selection={state.selection} weight={graph.columns.total_weight} samples={graph.columns.total_samples} unit={graph.columns.unit} onLine={(line) => onLines(profile.evidence_id, line)} />
      )}
    </div>
  )
}

/** Whether there is a time axis: samples at more than one moment. */
function hasTimes({ has_time, from_s, to_s }: Profile): boolean {
  return has_time && from_s !== null && to_s !== null && to_s > from_s
}

/** The row whose share over time is shown: the selected one, else the zoomed one. */
function rowOfHeat(graph: Graph, selected: number, zoomed: number, { showsNameless }: GraphState): HeatRow | null {
  const row = selected === NO_ROW ? zoomed : selected
  return row === NO_ROW ? null : { node: nodeOf(graph, row), command: commandOf(graph, row), joinsNameless: !showsNameless, name: labelOf(graph, row) }
}
