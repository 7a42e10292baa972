import { useState } from 'react'
import { Button, Command, Segments, Tag, type Tone } from '../../ui'
import { verdictWords } from '../../words'
import { type Answer, type Answers, conclude, stepsOf } from './checklist'
import type { Capture, Clause, Decide } from './document'
import styles from './checklist.module.css'

type Props = { clauses: Clause[]; decide: Decide; captures: Capture[] }

const ANSWERS = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'open', label: 'Not looked at' },
] as const satisfies readonly { value: Answer; label: string }[]
const TONES: Record<string, Tone> = { match: 'match', suspect: 'suspect', no_match: 'calm', unknown: 'plain' }

/** The conditions as questions to answer by hand, where to look for each, and what the answers decide. */
export function Checklist({ clauses, decide, captures }: Props) {
  const [answers, setAnswers] = useState<Answers>({})
  const conclusion = conclude(clauses, decide, answers)
  const isBegun = Object.keys(answers).length > 0
  return (
    <div className={styles.checklist} data-testid="checklist">
      {stepsOf(clauses).map((step) => (
        <div key={step.title}>
          <h3>{step.title}</h3>
          <ol>
            {step.clauses.map((clause) => (
              <li key={clause.id} className={styles.item} data-clause={clause.id}>
                <p className={styles.question}>{clause.title}</p>
                <Segments label={clause.title} value={answers[clause.id] ?? 'open'} options={ANSWERS} onChange={(answer) => setAnswers({ ...answers, [clause.id]: answer })} />
                <HowTo clause={clause} captures={captures} />
              </li>
            ))}
          </ol>
        </div>
      ))}
      <p className={styles.conclusion} role="status" data-testid="conclusion" data-verdict={conclusion.verdict}>
        <Tag tone={TONES[conclusion.verdict] ?? 'plain'}>{verdictWords(conclusion.verdict)}</Tag> {conclusion.text}{' '}
        {isBegun && (
          <Button look="quiet" onClick={() => setAnswers({})}>
            Clear answers
          </Button>
        )}
      </p>
    </div>
  )
}

/** What counts as yes, in each kind of evidence, and the command that shows it. */
function HowTo({ clause, captures }: { clause: Clause; captures: Capture[] }) {
  const own = captures.filter((capture) => capture.clauses.includes(clause.id)).slice(0, 2)
  if (own.length === 0 && clause.checks.length === 0) return null
  return (
    <details className={styles.how}>
      <summary>How to look</summary>
      {clause.checks.length > 0 && (
        <ul>
          {clause.checks.map((check) => (
            <li key={check.kind + check.text}>
              <span className={styles.kind}>{check.kind}</span> {check.text}
            </li>
          ))}
        </ul>
      )}
      {own.map((capture) => (
        <div key={capture.run}>
          <p>{capture.title}</p>
          <Command text={capture.run} name={capture.title} />
        </div>
      ))}
    </details>
  )
}
