import { type Evidence, type Phase, type PhaseRow, useAssignPhase, usePhases } from '../../api'
import { Notice, Tag, useToast } from '../../ui'
import { quantity, VERDICT_TONES, VERDICT_WORDS } from '../findings'
import styles from './phases.module.css'
import { type Group, groupsOf, OUTCOMES, PHASE_WORDS, PHASES } from './words'

type Props = { caseId: string; evidence: readonly Evidence[]; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }

/** Did the change help? The same conditions before and after, side by side, and which file belongs where. */
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
        <section aria-label="Did it help?">
          <h2>Did it help?</h2>
          {!phases.data.since && <p className={styles.soft}>All evidence is of one phase. Collect the same again after the change, add it here, and say below that it is from after.</p>}
          {phases.data.since && phases.data.rows.length === 0 && <p className={styles.soft}>Nothing fired in any phase, so there is nothing to be cleared.</p>}
          {phases.data.rows.map((row) => (
            <Row key={`${row.signature}:${row.host}`} row={row} shown={shown} onFinding={onFinding} />
          ))}
        </section>
      )}
      <section aria-label="Which evidence is from when">
        <h2>Which evidence is from when</h2>
        {evidence.length === 0 ? <p className={styles.soft}>There is no evidence yet.</p> : <Placing caseId={caseId} groups={groupsOf(evidence)} evidence={evidence} />}
      </section>
    </div>
  )
}

function Row({ row, shown, onFinding }: { row: PhaseRow; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }) {
  const [word, tone] = OUTCOMES[row.outcome]
  return (
    <details className={styles.row} open={row.outcome !== 'quiet'} data-testid="phase-row" data-signature={row.signature} data-outcome={row.outcome}>
      <summary>
        <Tag tone={tone}>{word}</Tag> <strong>{row.title}</strong> <span className={styles.soft}>{row.host || 'an unnamed host'}</span>
        {row.because && <span className={styles.because}>{row.because}</span>}
      </summary>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label={`Conditions of ${row.title}`}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Condition</th>
              {row.cells.map((cell) => (
                <th key={cell.phase} scope="col" className={styles.value}>
                  {PHASE_WORDS[cell.phase]}{' '}
                  {shown.has(cell.finding_id) ? (
                    <button type="button" className={styles.verdict} onClick={() => onFinding(cell.finding_id)}>
                      <Tag tone={VERDICT_TONES[cell.verdict]}>{VERDICT_WORDS[cell.verdict]}</Tag>
                    </button>
                  ) : (
                    <Tag tone={VERDICT_TONES[cell.verdict]}>{VERDICT_WORDS[cell.verdict]}</Tag>
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
                  {clause.title || clause.id.replaceAll('_', ' ')} {clause.role === 'rival' && <span className={styles.soft}>rival</span>}
                </th>
                {clause.values.map(({ phase, state, observed, reason }) => (
                  <td key={phase} className={styles.value} title={reason}>
                    <span className={styles.state}>{state === 'TRUE' ? 'met' : state === 'FALSE' ? 'not met' : 'not known'}</span> {observed !== null && quantity(observed, clause.unit)}
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

function Placing({ caseId, groups, evidence }: { caseId: string; groups: readonly Group[]; evidence: readonly Evidence[] }) {
  const place = useAssignPhase(caseId)
  const toast = useToast()
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const move = ({ ids, name }: Group, phase: Phase) => {
    const moved = evidence.filter(({ id }) => ids.includes(id))
    const before = PHASES.map((was) => ({ phase: was, evidence_ids: moved.filter((item) => item.phase === was).map(({ id }) => id) })).filter(({ evidence_ids }) => evidence_ids.length > 0)
    const undo = () => void Promise.all(before.map((was) => place.mutateAsync(was))).catch(failed)
    place.mutateAsync({ phase, evidence_ids: ids }).then(() => toast(`${name}: ${PHASE_WORDS[phase].toLowerCase()}. The case is judged again.`, { undo }), failed)
  }
  return (
    <ul className={styles.groups} aria-label="Evidence and its phase">
      {groups.map((group) => (
        <li key={group.ids[0]}>
          <label>
            <span className={styles.name}>{group.name}</span>
            <select value={group.phase} disabled={place.isPending} onChange={(event) => move(group, event.target.value as Phase)}>
              {group.phase === 'several' && <option value="several">several</option>}
              {PHASES.map((phase) => (
                <option key={phase} value={phase}>
                  {PHASE_WORDS[phase]}
                </option>
              ))}
            </select>
          </label>
        </li>
      ))}
    </ul>
  )
}
