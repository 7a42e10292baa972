import type { Citation, Clause } from '../../api'
import { Unbroken } from '../../ui'
import { reasonWords, ROLES } from '../../words'
import styles from './findings.module.css'
import { distanceText, inOrder, markOf, quantity, stateWithReason } from './labels'

/** Citations of a condition that are listed; the next ones are reached one after the other in the file. */
const SHOWN = 5

type Props = { clauses: readonly Clause[]; selected: string | undefined; onSelect: (clause: Clause, citation: number) => void }

/** The conditions of a finding: state, observed value, threshold and citations. */
export function ClauseTable({ clauses, selected, onSelect }: Props) {
  return (
    <table className={styles.clauses} data-testid="clause-table">
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">State</span>
          </th>
          <th scope="col">Condition</th>
          <th scope="col" className={styles.value}>
            Observed
          </th>
          <th scope="col" className={styles.value}>
            Threshold
          </th>
        </tr>
      </thead>
      <tbody>
        {inOrder(clauses).map((clause) => (
          <ClauseRow key={clause.id} clause={clause} isSelected={clause.id === selected} onSelect={onSelect} />
        ))}
      </tbody>
    </table>
  )
}

function ClauseRow({ clause, isSelected, onSelect }: { clause: Clause; isSelected: boolean; onSelect: (clause: Clause, citation: number) => void }) {
  const mark = markOf(clause)
  const title = clause.title || clause.id.replaceAll('_', ' ')
  const reason = clause.state === 'UNKNOWN' || clause.state === 'NOT_OBSERVABLE' ? stateWithReason(clause) : reasonWords(clause)
  const remarks = [clause.note, reason, clause.state === 'FALSE' ? distanceText(clause.distance) : '', clause.assumed ? 'assumed to be the same process or cgroup' : '', ...clause.caps]
  return (
    <tr data-selected={isSelected || undefined} data-testid="clause-row" data-clause={clause.id} data-state={clause.state}>
      <td className={styles.mark} data-tone={mark.tone}>
        <span aria-hidden="true">{mark.sign}</span>
        <span className="sr-only">{mark.label}</span>
      </td>
      <td>
        {clause.citations.length > 0 ? (
          <button type="button" className={styles.clauseTitle} aria-pressed={isSelected} onClick={() => onSelect(clause, 0)}>
            <Unbroken text={title} />
          </button>
        ) : (
          <span>
            <Unbroken text={title} />
          </span>
        )}
        {clause.role === 'rival' && <span className={styles.role}>{ROLES.rival}{clause.veto ? ', veto' : ''}</span>}
        {remarks.some(Boolean) && <div className={styles.remark}>{remarks.filter(Boolean).join(' · ')}</div>}
        {clause.citations.length > 0 && (
          <ul className={styles.citations} aria-label={`Evidence of: ${title}`}>
            {clause.citations.slice(0, SHOWN).map((citation, at) => (
              <li key={`${citation.evidence}:${citation.first_line}:${at}`}>
                <button type="button" className={styles.citation} onClick={() => onSelect(clause, at)} title={citation.evidence}>
                  {citationText(citation)}
                </button>
              </li>
            ))}
            {clause.citations.length > SHOWN && <li className={styles.soft}>and {clause.citations.length - SHOWN} more</li>}
          </ul>
        )}
      </td>
      <td className={styles.value}>{quantity(clause.observed, clause.unit)}</td>
      <td className={styles.value}>{quantity(clause.threshold, clause.unit)}</td>
    </tr>
  )
}

function citationText({ evidence, first_line, last_line, nodes }: Citation): string {
  const name = evidence.split('/').slice(-2).join('/')
  const lines = last_line > first_line ? `${first_line}–${last_line}` : String(first_line)
  return `${name}:${lines}${nodes.length > 0 ? ` · ${nodes.length} ${nodes.length === 1 ? 'frame' : 'frames'}` : ''}`
}
