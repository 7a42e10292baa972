import { type Evidence, type Phase, type PhaseRow, useAssignPhase, usePhases } from '../../api'
import { Notice, Tag, useToast } from '../../ui'
import { ROLES, stateWords, VERDICT_LABELS } from '../../words'
import { quantity, VERDICT_TONES } from '../findings'
import styles from './phases.module.css'
import { type Group, groupsOf, OUTCOMES, PHASE_LABELS, PHASES } from './labels'

type Props = { caseId: string; evidence: readonly Evidence[]; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }

/** Compares the conditions of each finding before, during and after the incident, and assigns evidence to phases. */
export function PhasesPanel({ caseId, evidence, shown, onFinding }: Props) {
  const phases = usePhases(caseId)
  return (
    <div className={styles.panel} data-testid="phases">
      {phases.error && (
        <Notice what="The phases could not be compared." retry={() => void phases.refetch()}>
          {phases.error.message} Findings are not affected.
        </Notice>
      )}
      {phases.isPending && <p role="status">Comparing the phases…</p>}
      {phases.data && (
        <section aria-label="Comparison by phase">
          <h2>Comparison by phase</h2>
          {!phases.data.since && <p className={styles.soft}>All evidence is of one phase. Collect the same evidence after the change, add it to this case, and assign it to a phase below.</p>}
          {phases.data.since && phases.data.rows.length === 0 && <p className={styles.soft}>No signature matches in any phase.</p>}
          {phases.data.rows.map((row) => (
            <Row key={`${row.signature}:${row.host}`} row={row} shown={shown} onFinding={onFinding} />
          ))}
        </section>
      )}
      <section aria-label="Assign evidence to a phase">
        <h2>Assign evidence to a phase</h2>
        {evidence.length === 0 ? <p className={styles.soft}>No evidence yet.</p> : <PhaseAssignment caseId={caseId} groups={groupsOf(evidence)} evidence={evidence} />}
      </section>
    </div>
  )
}

function Row({ row, shown, onFinding }: { row: PhaseRow; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }) {
  const [label, tone] = OUTCOMES[row.outcome]
  return (
    <details className={styles.row} open={row.outcome !== 'quiet'} data-testid="phase-row" data-signature={row.signature} data-outcome={row.outcome}>
      <summary>
        <Tag tone={tone}>{label}</Tag> <strong>{row.title}</strong> <span className={styles.soft}>{row.host || 'unnamed host'}</span>
        {row.because && <span className={styles.because}>{row.because}</span>}
        {row.comparison && <span className={styles.because} data-testid="comparison">{row.comparison}</span>}
      </summary>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={`Conditions of ${row.title}`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Condition</th>
              {row.cells.map((cell) => (
                <th key={cell.phase} scope="col" className={styles.value}>
                  {PHASE_LABELS[cell.phase]}{' '}
                  {shown.has(cell.finding_id) ? (
                    <button type="button" className={styles.verdict} onClick={() => onFinding(cell.finding_id)}>
                      <Tag tone={VERDICT_TONES[cell.verdict]}>{VERDICT_LABELS[cell.verdict]}</Tag>
                    </button>
                  ) : (
                    <Tag tone={VERDICT_TONES[cell.verdict]}>{VERDICT_LABELS[cell.verdict]}</Tag>
                  )}
                </th>
              ))}
              <th scope="col" className={styles.value}>
                Threshold
              </th>
            </tr>
          </thead>
          <tbody>
            {row.clauses.map((clause) => (
              <tr key={clause.id} data-changed={new Set(clause.values.map(({ state }) => state)).size > 1 || undefined}>
                <th scope="row">
                  {clause.title || clause.id.replaceAll('_', ' ')} {clause.role === 'rival' && <span className={styles.soft}>{ROLES.rival}</span>}
                </th>
                {clause.values.map(({ phase, state, observed, reason }) => (
                  <td key={phase} className={styles.value} title={reason}>
                    <span className={styles.state}>{stateWords({ state, reason, observed })}</span> {observed !== null && quantity(observed, clause.unit)}
                  </td>
                ))}
                <td className={styles.value}>{quantity(clause.threshold, clause.unit)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

function PhaseAssignment({ caseId, groups, evidence }: { caseId: string; groups: readonly Group[]; evidence: readonly Evidence[] }) {
  const assign = useAssignPhase(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const assignGroup = ({ ids, name }: Group, phase: Phase) => {
    const items = evidence.filter(({ id }) => ids.includes(id))
    const previous = PHASES.map((old) => ({ phase: old, evidence_ids: items.filter((item) => item.phase === old).map(({ id }) => id) })).filter(({ evidence_ids }) => evidence_ids.length > 0)
    const undo = () => void Promise.all(previous.map((assignment) => assign.mutateAsync(assignment))).catch(showError)
    assign.mutateAsync({ phase, evidence_ids: ids }).then(() => toast(`${name}: ${PHASE_LABELS[phase].toLowerCase()}. Judging again.`, { undo }), showError)
  }
  return (
    <ul className={styles.groups} aria-label="Evidence and its phase">
      {groups.map((group) => (
        <li key={group.ids[0]}>
          <label>
            <span className={styles.name}>{group.name}</span>
            <select value={group.phase} disabled={assign.isPending} onChange={(event) => assignGroup(group, event.target.value as Phase)}>
              {group.phase === 'several' && <option value="several">several</option>}
              {PHASES.map((phase) => (
                <option key={phase} value={phase}>
                  {PHASE_LABELS[phase]}
                </option>
              ))}
            </select>
          </label>
        </li>
      ))}
    </ul>
  )
}
