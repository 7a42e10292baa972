import type { ReactNode } from 'react'
import type { Clause, Finding, Fix, FixOutcome } from '../../api'
import { CodeSpans, Tag, Unbroken } from '../../ui'
import { ClauseTable } from './ClauseTable'
import styles from './findings.module.css'
import { FindingFacts } from './FindingFacts'
import { orderFixes } from './fixOrder'
import { FixPlan } from './FixPlan'
import { stepOf } from './fixStep'
import { verdictLabel } from '../../words'
import { commandValues } from './commandValues'
import { affectedLabel, claimAndRest, headlineOf, hasKernelVerdict, hostAndPhase, SEVERITY_TONES, VERDICT_TONES, verdictNumbers } from './labels'

type Props = {
  finding: Finding
  /** The link to a signature, by its id. */
  linkOf: (id: string) => ReactNode
  /** Whether the title of the page states the claim already. */
  isTitled?: boolean | undefined
  /** What the evidence answers, shown below the certainty. */
  assessed?: ReactNode
  /** What else it could be, and what decides. */
  matrix?: ReactNode
  /** What follows the first step: that it was done, and whether it helped. */
  loopOf?: (fix: Fix, values: Readonly<Record<string, string>>) => ReactNode
  /** The labels that people gave the finding. */
  labels?: ReactNode
  /** The control that copies it for an issue tracker. */
  copyAs?: ReactNode
  /** What fixes of closed cases with this signature did. */
  outcomes?: readonly FixOutcome[]
  selectedClause: string | undefined
  onClause: (clause: Clause, citation: number) => void
}

/** One finding: verdict, fixes and conditions. */
export function FindingCard({ finding, linkOf, isTitled = false, assessed, matrix, loopOf, labels, copyAs, outcomes = [], selectedClause, onClause }: Props) {
  const [affected, tone] = affectedLabel(finding.affected)
  const isAnswer = finding.verdict === 'match' || finding.verdict === 'suspect'
  const { fixes, dangers, warnings } = orderFixes(finding.fixes, finding.verdict)
  const first = fixes[0]
  const where = hostAndPhase(finding)
  const [claim, rest] = claimAndRest(headlineOf(finding))
  const values = commandValues(finding)
  const hasAction = isAnswer && first !== undefined
  // A suspect is confirmed before anything is changed.
  const isMatrixFirst = !hasAction || (finding.verdict === 'suspect' && stepOf(first) !== 'look')
  return (
    <article className={styles.card} data-verdict={finding.verdict} data-testid="finding-card" data-signature={finding.signature} aria-labelledby={`finding-${finding.id}`}>
      <header className={styles.cardHead}>
        <div className={styles.rowTop}>
          <Tag tone={VERDICT_TONES[finding.verdict]}>{verdictLabel(finding)}</Tag>
          {isAnswer && <Tag tone={SEVERITY_TONES[finding.severity] ?? 'plain'}>{`severity ${finding.severity}`}</Tag>}
          {finding.status === 'draft' && <Tag tone="suspect">draft signature</Tag>}
          {finding.is_provisional && <Tag tone="suspect">provisional: upload in progress</Tag>}
          {hasKernelVerdict(finding.affected) && <Tag tone={tone}>{affected}</Tag>}
          {linkOf(finding.signature)}
          {finding.library && <code title="Library of a team, at this commit">{finding.library}</code>}
        </div>
        <h2 id={`finding-${finding.id}`} className={styles.title}>
          <span className={isTitled ? 'sr-only' : undefined}>
            <Unbroken text={claim} />
          </span>
          {rest && !matrix && (
            <span className={styles.rest}>
              <CodeSpans text={rest} />
            </span>
          )}
        </h2>
        <p>
          {where && `${where}. `}
          {finding.certainty}
        </p>
        {finding.caused_by && (
          <p data-testid="caused-by">
            {finding.verdict === 'match' ? 'Explained by' : 'May be explained by'} {linkOf(finding.caused_by)}, which comes first.
          </p>
        )}
        {finding.suspected_cause && (
          <p data-testid="suspected-cause">
            May be explained by {linkOf(finding.suspected_cause)}, which is not decided.
          </p>
        )}
        <FindingFacts extract={finding.extract} />
        {assessed}
      </header>
      {isMatrixFirst && <div className={styles.section}>{matrix}</div>}
      {isAnswer && <FixPlan finding={finding} fixes={fixes} dangers={dangers} warnings={warnings} values={values} outcomes={outcomes} loop={first && loopOf?.(first, values)} />}
      {!isMatrixFirst && matrix && <div className={styles.section}>{matrix}</div>}
      <section className={styles.section} aria-label="Conditions">
        <h3>Conditions</h3>
        <ClauseTable clauses={finding.clauses} selected={selectedClause} onSelect={onClause} />
        <p className={styles.numbers}>{verdictNumbers(finding)}</p>
      </section>
      <dl className={styles.facts}>
        <div>
          <dt>Kernel status</dt>
          <dd>
            <CodeSpans text={finding.affected.sentence} /> {finding.affected.basis && <span className={styles.soft}>Basis: {finding.affected.basis}</span>}
          </dd>
        </div>
        {finding.caps.map((cap) => (
          <div key={cap.reason + cap.clause}>
            <dt>Limits</dt>
            <dd>{cap.reason}</dd>
          </div>
        ))}
      </dl>
      <footer className={styles.cardFoot}>
        {labels && <div className={styles.labels}>{labels}</div>}
        {copyAs}
      </footer>
    </article>
  )
}
