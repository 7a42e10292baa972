import { type ReactNode, useMemo } from 'react'
import { type Clause, type Finding, type Profile, useFacts } from '../../api'
import { Command, Segments } from '../../ui'
import { RawEvidence } from '../evidence'
import { citedLines } from '../findings'
import { type ClauseNodes, FlameGraphPanel, type GraphState, onlySource } from '../flamegraph'
import { SpeedscopeFrame } from '../speedscope'
import styles from './case.module.css'
import { ProfilePicker } from './ProfilePicker'
import type { CaseSearch, View } from './search'
import { type CaseView, citationAt, clausesOn } from './view'

const RECORD = 'perf record -a -g --synth=no -o perf.data -- sleep 10\nperf script --no-inline -i perf.data > perf.script'

type Props = {
  caseId: string
  search: CaseSearch
  view: CaseView
  profiles: readonly Profile[]
  isLoading: boolean
  findings: readonly Finding[]
  onChange: (change: { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }, replace?: boolean) => void
  onClause: (finding: Finding, clause: Clause, at: number) => void
  onStepCitation: (by: number) => void
}

/** Where the weight went, and the lines that say so. */
export function ProofColumn({ caseId, search, view, profiles, isLoading, findings, onChange, onClause, onStepCitation }: Props) {
  const { finding, clause, profile, evidence, line } = view
  const shown = search.view ?? 'flame'
  const clauses = useMemo(() => (profile ? clausesOn(profile.id, findings) : []), [profile, findings])
  const cited = clauses.find((each) => each.findingId === finding?.id && each.clauseId === clause?.id) ?? null
  const ranges = useMemo(() => citedLines(clause, evidence?.id), [clause, evidence?.id])
  const at = clause ? citationAt(clause, evidence?.id, line) : -1
  const state: GraphState = {
    look: shown === 'speedscope' ? 'flame' : shown,
    order: search.order ?? 'left-heavy',
    inverted: search.inverted ?? false,
    q: search.q ?? '',
    zoom: search.zoom ?? null,
    node: search.node ?? null,
    isWide: search.wide ?? false,
  }
  const changeGraph = ({ look, inverted, order, isWide, ...rest }: Partial<GraphState>) =>
    onChange(
      {
        ...rest,
        ...(look && { view: look === 'flame' ? undefined : look }),
        ...(inverted !== undefined && { inverted: inverted || undefined }),
        ...(isWide !== undefined && { wide: isWide || undefined }),
        ...(order && { order: order === 'left-heavy' ? undefined : order }),
      },
      'q' in rest || ('node' in rest && !('zoom' in rest)),
    )
  const clauseOf = ({ findingId, clauseId }: ClauseNodes) => {
    const owner = findings.find(({ id }) => id === findingId)
    const found = owner?.clauses.find(({ id }) => id === clauseId)
    if (owner && found) onClause(owner, found, Math.max(0, found.citations.findIndex((citation) => citation.profile_id === profile?.id && citation.nodes.length > 0)))
  }
  const releases = useFacts(caseId, 'kernel.release')
  const source = useMemo(() => onlySource((releases.data ?? []).map(({ value }) => value)), [releases.data])
  const views = <Views value={shown} onChange={(next) => onChange({ view: next === 'flame' ? undefined : next })} />
  const picker = profile && <ProfilePicker profiles={profiles} selected={profile} onSelect={(id) => onChange({ profile: id, zoom: undefined, node: undefined })} />
  return (
    <section className={styles.proof} data-wide={search.wide} aria-label="Proof">
      <div className={styles.graph} data-tall={!evidence || undefined}>
        {!profile && <NoProfile isLoading={isLoading} />}
        {profile && shown === 'speedscope' && (
          <>
            <div className={styles.bar}>
              {views}
              {picker}
            </div>
            <SpeedscopeFrame profile={profile} onShowOurs={() => onChange({ view: undefined })} onEscape={() => onChange({ view: undefined })} />
          </>
        )}
        {profile && shown !== 'speedscope' && (
          <FlameGraphPanel
            profile={profile}
            state={state}
            cited={cited}
            clauses={clauses}
            source={source}
            picker={
              <>
                {views}
                {picker}
              </>
            }
            onChange={changeGraph}
            onClause={clauseOf}
            onLines={(evidenceId, first) => onChange({ evidence: evidenceId, line: first })}
          />
        )}
      </div>
      {evidence && !search.wide && (
        <div className={styles.rawBox}>
          <RawEvidence
            key={evidence.id}
            evidence={evidence}
            line={line}
            cited={ranges}
            citedFor={clause ? clause.title || clause.id : ''}
            position={clause && at >= 0 ? `${at + 1} of ${clause.citations.length}` : ''}
            onStep={clause && clause.citations.length > 1 ? onStepCitation : null}
          />
        </div>
      )}
    </section>
  )
}

const VIEW_CHOICES: readonly { value: View; label: string }[] = [
  { value: 'flame', label: 'Flame' },
  { value: 'icicle', label: 'Icicle' },
  { value: 'table', label: 'Table' },
  { value: 'speedscope', label: 'Speedscope' },
]

function Views({ value, onChange }: { value: View; onChange: (view: View) => void }) {
  return <Segments label="View" value={value} options={VIEW_CHOICES} onChange={onChange} />
}

function NoProfile({ isLoading }: { isLoading: boolean }): ReactNode {
  if (isLoading) return <div className={styles.loading} role="status" aria-label="Loading profiles" />
  return (
    <div className={styles.noProfile}>
      <h2>No stacks in this evidence</h2>
      <p className={styles.soft}>A flame graph needs perf script, folded stacks or a bpftrace stack map. This records ten seconds:</p>
      <Command text={RECORD} name="Record a profile" />
    </div>
  )
}
