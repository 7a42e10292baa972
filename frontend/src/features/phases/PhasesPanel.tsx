import { type PhaseRow, usePhases } from '../../api'
import { Notice, Tag } from '../../ui'
import { ROLES, stateWords, VERDICT_LABELS } from '../../words'
import { quantity, VERDICT_TONES } from '../findings'
import styles from './phases.module.css'
import { OUTCOMES, PHASE_LABELS } from './labels'

type Props = { caseId: string; shown: ReadonlySet<string>; onFinding: (findingId: string) => void }

/** Compares the conditions of each finding before, during and after the incident. */
export function PhasesPanel({ caseId, shown, onFinding }: Props) {
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
          {!phases.data.since && <p className={styles.soft}>All evidence is of one phase. Collect the same evidence after the change and add it to this case in a folder <code>after</code>, or set its phase under <em>Evidence</em>.</p>}
          {phases.data.since && phases.data.rows.length === 0 && <p className={styles.soft}>No signature matches in any phase.</p>}
          {phases.data.rows.map((row) => (
            <Row key={`${row.signature}:${row.host}`} row={row} shown={shown} onFinding={onFinding} />
          ))}
        </section>
      )}
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
