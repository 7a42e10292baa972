import type { ReactNode } from 'react'
import type { Finding, Fix, FixOutcome } from '../../api'
import { Fold } from '../../ui'
import { FixCard, FixTitle } from './FixCard'
import styles from './findings.module.css'
import { stepOf } from './fixStep'

type Props = {
  finding: Finding
  fixes: readonly Fix[]
  dangers: readonly Fix[]
  warnings: readonly Fix[]
  values: Readonly<Record<string, string>>
  outcomes?: readonly FixOutcome[]
  /** What follows the first step. */
  loop?: ReactNode
}

/** What to do: the first step open, each further one by its title, and what makes it worse; apart from it what costs data. */
export function FixPlan({ finding, fixes, dangers, warnings, values, outcomes = [], loop }: Props) {
  const [first, ...others] = fixes
  const isSuspect = finding.verdict === 'suspect'
  const isLook = first !== undefined && stepOf(first) === 'look'
  return (
    <>
      {(first || warnings.length > 0) && (
        <section className={styles.section} aria-label="Do this now">
          <h3>{isSuspect && !isLook ? 'If confirmed' : 'Do this now'}</h3>
          {first && <FixCard fix={first} values={values} outcomes={outcomes} isFirst />}
          {loop}
          {others.length > 0 && (
            <div className={styles.others}>
              {isSuspect && isLook && <h4>If confirmed</h4>}
              <FoldedFixes fixes={others} values={values} outcomes={outcomes} />
            </div>
          )}
          {warnings.length > 0 && (
            <ul className={styles.warnings} aria-label="Makes it worse">
              {warnings.map(({ title }) => (
                <li key={title}>
                  <strong>Makes it worse:</strong> {title}
                </li>
              ))}
            </ul>
          )}
        </section>
      )}
      {dangers.length > 0 && (
        <section className={styles.section} aria-label="Decide first">
          <h3>Decide first: costs data, security or hardware</h3>
          <FoldedFixes fixes={dangers} values={values} outcomes={outcomes} />
        </section>
      )}
    </>
  )
}

/** Fixes by their titles, each with its details below. */
function FoldedFixes({ fixes, values, outcomes }: { fixes: readonly Fix[]; values: Readonly<Record<string, string>>; outcomes: readonly FixOutcome[] }) {
  return fixes.map((fix) => (
    <Fold key={fix.title} className={styles.other} summary={<FixTitle fix={fix} outcomes={outcomes} />}>
      <FixCard fix={fix} values={values} isUntitled />
    </Fold>
  ))
}
