import type { ReactNode } from 'react'
import type { Clause, Finding } from '../../api'
import { CopyButton, Tag } from '../../ui'
import { ClauseTable } from './ClauseTable'
import styles from './findings.module.css'
import { FixCard } from './FixCard'
import { findingMarkdown } from './markdown'
import { NextCaptures } from './NextCaptures'
import { affectedWords, certainty, sentence, VERDICT_TONES, VERDICT_WORDS } from './words'

type Props = {
  finding: Finding
  signatureLink: ReactNode
  selectedClause: string | undefined
  onClause: (clause: Clause, citation: number) => void
}

/** The answer, what to do about it, and the proof. */
export function FindingCard({ finding, signatureLink, selectedClause, onClause }: Props) {
  const [affected, tone] = affectedWords(finding.affected)
  const isAnswer = finding.verdict === 'match' || finding.verdict === 'suspect'
  const [first, ...others] = finding.fixes
  return (
    <article className={styles.card} data-verdict={finding.verdict} data-testid="finding-card" data-signature={finding.signature} aria-labelledby={`finding-${finding.id}`}>
      <header className={styles.cardHead}>
        <div className={styles.rowTop}>
          <Tag tone={VERDICT_TONES[finding.verdict]}>{finding.is_near_miss ? 'Near miss' : VERDICT_WORDS[finding.verdict]}</Tag>
          {finding.is_provisional && <Tag tone="suspect">provisional: the rest of the evidence still comes</Tag>}
          {signatureLink}
        </div>
        <h2 id={`finding-${finding.id}`} className={styles.title}>
          {finding.title}
        </h2>
        <p>{sentence(finding)}</p>
      </header>
      <dl className={styles.facts}>
        {certainty(finding).map(({ label, value, meaning }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <strong>{value}</strong> <span className={styles.soft}>{meaning}</span>
            </dd>
          </div>
        ))}
        <div>
          <dt>This kernel</dt>
          <dd>
            <Tag tone={tone}>{affected}</Tag> {finding.affected.sentence} {finding.affected.basis && <span className={styles.soft}>Basis: {finding.affected.basis}</span>}
          </dd>
        </div>
        {Object.entries(finding.extract).map(([name, value]) => (
          <div key={name}>
            <dt>{name.replaceAll('_', ' ')}</dt>
            <dd>
              <code>{value}</code>
            </dd>
          </div>
        ))}
        {finding.caps.map((cap) => (
          <div key={cap.reason + cap.clause}>
            <dt>Held back</dt>
            <dd>{cap.reason}</dd>
          </div>
        ))}
        {!isAnswer && finding.because && (
          <div>
            <dt>Because</dt>
            <dd>{finding.because}</dd>
          </div>
        )}
      </dl>
      {isAnswer && first && (
        <section className={styles.section} aria-label="Do this now">
          <h3>{finding.verdict === 'match' ? 'Do this now' : 'If it is this, do'}</h3>
          <FixCard fix={first} isFirst />
          {others.length > 0 && (
            <details className={styles.more}>
              <summary>{others.length === 1 ? 'Another way' : `${others.length} other ways`}</summary>
              {others.map((fix) => (
                <FixCard key={fix.title} fix={fix} />
              ))}
            </details>
          )}
        </section>
      )}
      <section className={styles.section} aria-label="Why">
        <h3>Why</h3>
        <ClauseTable clauses={finding.clauses} selected={selectedClause} onSelect={onClause} />
      </section>
      {finding.next.length > 0 && (
        <section className={styles.section} aria-label="Collect next">
          <h3>Collect next</h3>
          <NextCaptures captures={finding.next.map((capture) => ({ ...capture, settles: [titleOf(finding, capture.clause)] }))} />
        </section>
      )}
      <footer className={styles.cardFoot}>
        <CopyButton label="Copy as Markdown" text={() => findingMarkdown(finding, window.location.href)} />
      </footer>
    </article>
  )
}

function titleOf(finding: Finding, clauseId: string): string {
  return finding.clauses.find((clause) => clause.id === clauseId)?.title || clauseId.replaceAll('_', ' ')
}
