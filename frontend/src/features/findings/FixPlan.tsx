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
}

/** What to do: the first step open, each further one by its title, and what makes it worse; apart from it what costs data. */
export function FixPlan({ finding, fixes, dangers, warnings, values, outcomes = [] }: Props) {
  const [first, ...others] = fixes
  const isSuspect = finding.verdict === 'suspect'
  const isLook = first !== undefined && stepOf(first) === 'look'
  return (
    <>
      {(first || warnings.length > 0) && (
        <section className={styles.section} aria-label="Do this now">
          <h3>{isSuspect && !isLook ? 'If confirmed' : 'Do this now'}</h3>
          {first && <FixCard fix={first} values={values} outcomes={outcomes} isFirst />}
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

/** What shows that the incident is over, for a finding whose conditions are decided. */
export function AfterTheFix({ finding, fix }: { finding: Finding; fix: Fix }) {
  const proof = finding.clauses.find(({ role, state, citations }) => role === 'core' && state === 'TRUE' && citations.length > 0)
  const file = proof?.citations[0]?.evidence.split('/').at(-1)
  if (!proof && !fix.verify) return null
  return (
    <section className={styles.section} aria-label="After the fix">
      <h3>After the fix</h3>
      {fix.verify && <p>Done when: {fix.verify}.</p>}
      {proof && file && (
        <p>
          Collect {file} again and add it to this case. No longer met must be: <q>{proof.title || proof.id.replaceAll('_', ' ')}</q>
        </p>
      )}
    </section>
  )
}
