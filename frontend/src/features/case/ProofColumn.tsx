import { type ReactNode, useMemo } from 'react'
import { type Clause, type Finding, type Profile, useAnalyses, useFacts, useOverview, useWaits } from '../../api'
import { Button, Command, Segments, useKeys, usePageActions } from '../../ui'
import { DecidingLines, RawEvidence } from '../evidence'
import { citedLines } from '../findings'
import { type ClauseNodes, FlameGraphPanel, type GraphState, onlySource } from '../flamegraph'
import { NumbersView } from '../numbers'
import { leadOf } from '../overview'
import { SpeedscopeFrame } from '../speedscope'
import { WaitsView } from '../waits'
import { BaseChooser } from './BaseChooser'
import styles from './case.module.css'
import { graphStateOf, isMinorChange, searchOfChange } from './graphState'
import { ProfilePicker } from './ProfilePicker'
import { namesIn, notesOf } from './notes'
import { preferredStacks, preferStacks } from './stackPreference'
import type { CaseSearch, View } from './search'
import { type CaseView, citationAt, clausesOn } from './view'
import { viewChoices } from './viewChoices'

const NO_CHARTS: readonly string[] = []
const NO_CHARTS_KNOWN = { numbers: false, waits: false }
const NO_STATEMENTS: readonly never[] = []
const FEW_TRACES = 8
const RECORD = 'perf record -N -a -g --synth=task -o perf.data -- sleep 10\nperf script --no-inline -i perf.data > perf.script'

type Props = {
  caseId: string
  search: CaseSearch
  view: CaseView
  profiles: readonly Profile[]
  /** Whether nothing is known to show yet, neither a profile nor lines that prove an alarm. */
  isLoading: boolean
  /** Whether more evidence may follow, stacks among it. */
  isReading: boolean
  findings: readonly Finding[]
  onChange: (change: { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }, replace?: boolean) => void
  onClause: (finding: Finding, clause: Clause, at: number) => void
  onStepCitation: (by: number) => void
}

/** The views of a profile, and the raw evidence with the cited lines. */
export function ProofColumn({ caseId, search, view, profiles, isLoading, isReading, findings, onChange, onClause, onStepCitation }: Props) {
  const { finding, clause, profile, evidence, line, proof } = view
  // Single stacks have no widths; who waits for whom says more.
  const isBare = profile?.has_weights === false
  const graphs = useWaits(caseId, isBare).data?.graphs ?? []
  const hasWaits = graphs.some(({ tasks, links }) => tasks > 1 && links.length > 0)
  const hasData = useAnalyses(caseId).data?.charts ?? NO_CHARTS_KNOWN
  // A few call traces of a log, or one sample, are read in its lines.
  const isFew = profile !== undefined && profile.samples <= (isBare ? FEW_TRACES : 1)
  // A link to a function or a node is about the graph.
  const asksGraph = search.q !== undefined || search.node !== undefined || search.zoom !== undefined
  const usual: View = profile === undefined ? 'lines' : asksGraph ? preferredStacks() : view.isBeside ? 'lines' : isBare && hasWaits ? 'waits' : isFew ? 'lines' : preferredStacks()
  const shown = search.view ?? usual
  const clauses = useMemo(() => (profile ? clausesOn(profile.id, findings) : []), [profile, findings])
  const cited = clauses.find((each) => each.findingId === finding?.id && each.clauseId === clause?.id) ?? null
  const overview = useOverview(caseId).data
  const lead = overview && leadOf(overview).lead
  const ranges = useMemo(() => {
    if (!proof) return citedLines(clause, evidence?.id)
    const all = lead?.citations.filter((one) => one.evidence_id === evidence?.id).map(({ first_line: first, last_line: last }) => ({ first, last }))
    return all?.length ? all : [proof]
  }, [clause, evidence?.id, proof, lead])
  const statements = overview?.statements
  const notes = useMemo(() => notesOf(evidence?.id, finding, statements ?? NO_STATEMENTS, clause, lead), [evidence?.id, finding, statements, clause, lead])
  const names = useMemo(() => namesIn([overview?.headline.text ?? '', ...(statements ?? NO_STATEMENTS).slice(0, 1).map(({ text }) => text), ...Object.values(finding?.extract ?? {})]), [overview?.headline.text, statements, finding])
  const at = clause ? citationAt(clause, evidence?.id, line) : -1
  const deciding = ranges.find(({ first, last }) => line !== null && line >= first && line <= last) ?? ranges[0]
  // Frames link to the source of their release.
  const releases = useFacts(caseId, 'kernel.release', profile !== undefined)
  const source = useMemo(() => onlySource((releases.data ?? []).map(({ value }) => value)), [releases.data])
  const state = useMemo(() => graphStateOf({ ...search, view: shown }), [search, shown])
  const changeGraph = (change: Partial<GraphState>) => {
    if (change.look !== undefined) preferStacks(change.look)
    onChange(searchOfChange(change), isMinorChange(change))
  }
  const clauseOf = ({ findingId, clauseId }: ClauseNodes) => {
    const owner = findings.find(({ id }) => id === findingId)
    const target = owner?.clauses.find(({ id }) => id === clauseId)
    if (owner && target) onClause(owner, target, Math.max(0, target.citations.findIndex((citation) => citation.profile_id === profile?.id && citation.nodes.length > 0)))
  }
  const showLines = (evidenceId: string, first: number) => onChange({ evidence: evidenceId, line: first, wide: undefined })
  const selectProfile = (id: string) => onChange({ profile: id, zoom: undefined, node: undefined, t0: undefined, t1: undefined, s0: undefined, s1: undefined, cpu: undefined, tid: undefined, comm: undefined, span: undefined, at: undefined, into: undefined, from: undefined })
  const showView = (next: View) => {
    preferStacks(next)
    const isUsual = next === usual || (next === 'flame' && usual === 'icicle')
    onChange({ view: isUsual ? undefined : next })
  }
  const isApart = shown === 'numbers' || shown === 'waits'
  const hasLinesOnly = !isApart && (profile ? shown === 'lines' : !isLoading)
  // A link may open a graph that the case has no longer: then its lines are shown.
  const selected = hasLinesOnly ? 'lines' : shown
  const choices = viewChoices(profile, profiles, [selected, usual], hasData)
  const views = <Segments label="View" value={selected} options={choices} onChange={showView} />
  const picker = profile && <ProfilePicker profiles={profiles} selected={profile} onSelect={selectProfile} />
  const toggleWide = () => onChange({ wide: search.wide ? undefined : true })
  useKeys({ w: toggleWide })
  usePageActions(choices.map(({ value, label, hint }) => ({ group: 'Views', label, hint, act: () => showView(value) })))
  const hasGraph = profile && shown !== 'speedscope' && !isApart && !hasLinesOnly
  return (
    <section className={styles.proof} data-wide={search.wide} data-lines={hasLinesOnly || undefined} aria-label="Proof">
      <div className={styles.graph} data-tall={!evidence || undefined}>
        {!hasGraph && (
          <div className={styles.bar}>
            {views}
            {!isApart && !hasLinesOnly && picker}
            <Button className={styles.barEnd} aria-pressed={search.wide ?? false} title="Full page (w)" onClick={toggleWide}>
              {search.wide ? 'Back to the case' : 'Enlarge'}
            </Button>
          </div>
        )}
        {!profile && !isApart && isLoading && (
          <div className={styles.loading} role="status" aria-label="Loading profiles">
            {isReading && <p className={styles.soft}>Reading evidence. A flame graph follows if it has stacks.</p>}
          </div>
        )}
        {shown === 'numbers' && <NumbersView caseId={caseId} charts={search.chart ?? NO_CHARTS} onCharts={(chart) => onChange({ chart })} onLines={showLines} />}
        {shown === 'waits' && <WaitsView caseId={caseId} place={{ evidenceId: evidence?.id, line }} onLines={showLines} />}
        {profile && shown === 'speedscope' && <SpeedscopeFrame profile={profile} selection={state.selection} onFlameGraph={() => onChange({ view: undefined })} onEscape={() => onChange({ view: undefined })} />}
        {hasGraph && (
          <FlameGraphPanel
            profile={profile}
            profiles={profiles}
            state={state}
            cited={cited}
            clauses={clauses}
            source={source}
            views={views}
            picker={picker}
            baseChooser={<BaseChooser profile={profile} profiles={profiles} state={state} onChange={changeGraph} />}
            onChange={changeGraph}
            onProfile={selectProfile}
            onClause={clauseOf}
            onLines={showLines}
          />
        )}
      </div>
      {evidence && hasLinesOnly && deciding && (
        <DecidingLines evidence={evidence} range={deciding} current={line} onLine={(next) => onChange({ evidence: evidence.id, line: next })} />
      )}
      {evidence && (!search.wide || hasLinesOnly) && (
        <div className={styles.rawBox}>
          <RawEvidence
            key={evidence.id}
            evidence={evidence}
            line={line}
            cited={ranges}
            notes={notes}
            names={names}
            citedFor={clause ? clause.title || clause.id : proof ? 'the headline' : ''}
            position={clause && at >= 0 ? `${at + 1} of ${clause.citations.length}` : ''}
            onStep={clause && clause.citations.length > 1 ? onStepCitation : null}
          />
        </div>
      )}
      {hasLinesOnly && !profile && !isReading && <NoProfile />}
    </section>
  )
}

function NoProfile(): ReactNode {
  return (
    <details className={styles.noProfile}>
      <summary>No stacks in this evidence: record a profile</summary>
      <p className={styles.soft}>A flame graph needs perf script output, folded stacks or a bpftrace stack map. Record ten seconds:</p>
      <Command text={RECORD} name="Record a profile" />
    </details>
  )
}
