import type { ReactNode } from 'react'
import { type CaseOverview, useOverview } from '../../api'
import { CodeSpans, Notice, Tag, Unbroken } from '../../ui'
import { NO_SIGNATURE } from '../../words'
import { SEVERITY_TONES } from '../findings'
import { fileOf, linesOf } from '../analyses'
import styles from './overview.module.css'
import { isCalm, leadingSignature, leadOf, questionGroups, strongestAlarm } from './questions'

/** Statements below a finding. */
const OBSERVATIONS = 5

type Show = (evidenceId: string, line: number) => void
/** With the headline as the title of the page (`isTitled`) it is not shown again. Below a finding, which has the headline and the matrix, only the statements are shown, without an alarm that it shows. */
type Props = { caseId: string; onShow: Show; matrix?: ReactNode; isTitled?: boolean; isBelowFinding?: boolean; hasAlarmAbove?: boolean }

/** The first screen of a case: headline, what was assessed, the strongest statements, what else it could be. */
export function OverviewPanel({ caseId, onShow, matrix, isTitled = false, isBelowFinding = false, hasAlarmAbove = false }: Props) {
  const overview = useOverview(caseId)
  if (overview.error) {
    return (
      <Notice what="The overview could not be loaded." retry={() => void overview.refetch()}>
        {overview.error.message} Evidence and findings are not affected.
      </Notice>
    )
  }
  if (!overview.data || overview.data.evidence_rev === 0) return null
  return isBelowFinding ? <Observations overview={overview.data} hasAlarmAbove={hasAlarmAbove} onShow={onShow} /> : <Loaded overview={overview.data} matrix={matrix} isTitled={isTitled} onShow={onShow} />
}

function Loaded({ overview, matrix, isTitled, onShow }: { overview: CaseOverview; matrix: ReactNode; isTitled: boolean; onShow: Show }) {
  const { headline, suspicion, first_steps, is_urgent, signatures } = overview
  const { lead, others } = leadOf(overview)
  const isEmpty = headline.kind === 'no evidence'
  return (
    <section className={styles.panel} data-kind={headline.kind} data-severity={headline.severity ?? undefined} aria-label="Overview" data-testid="overview">
      <h2 className={isTitled ? 'sr-only' : styles.headline}>
        <Unbroken text={headline.text} />
      </h2>
      {headline.severity && <Tag tone={SEVERITY_TONES[headline.severity] ?? 'plain'}>{`severity ${headline.severity}`}</Tag>}
      {lead && !isTitled && <Citation statement={lead} onShow={onShow} />}
      {suspicion && (
        <p data-testid="suspicion">
          <CodeSpans text={suspicion.text} />
        </p>
      )}
      {is_urgent && <FirstSteps title="Do this first" steps={first_steps} />}
      {isCalm(overview) && overview.next_capture && <p className={styles.soft}>Nothing to do about what was assessed.</p>}
      {matrix}
      {!is_urgent && <FirstSteps title="Then" steps={first_steps} />}
      <Statements statements={others} onShow={onShow} />
      {!isEmpty && <Assessed overview={overview} />}
      {leadingSignature(overview) === '' && !isEmpty && (
        <p className={styles.soft}>
          {NO_SIGNATURE}: {signatures.checked} checked
        </p>
      )}
    </section>
  )
}

function FirstSteps({ title, steps }: { title: string; steps: readonly string[] }) {
  if (steps.length === 0) return null
  return (
    <div>
      <h3 className={styles.subhead}>{title}</h3>
      <ul className={styles.steps} aria-label="First steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </div>
  )
}

function Observations({ overview, hasAlarmAbove, onShow }: { overview: CaseOverview; hasAlarmAbove: boolean; onShow: Show }) {
  const start = hasAlarmAbove && strongestAlarm(overview) ? 1 : 0
  const statements = overview.statements.slice(start, start + OBSERVATIONS)
  if (statements.length === 0) return null
  return (
    <section className={styles.panel} aria-label="Overview" data-testid="overview">
      <h2 className={styles.subhead}>Observed</h2>
      <Statements statements={statements} onShow={onShow} />
    </section>
  )
}

/** The strongest alarm with its names and numbers, unless the title of the page is it, and the questions of the overview by state: alarms first. */
export function Assessed({ overview, above, onShow }: { overview: CaseOverview; above?: CaseOverview['statements'][number] | undefined; onShow?: Show }) {
  const strongest = onShow && strongestAlarm(overview)
  const alarm = strongest === above ? undefined : strongest
  return (
    <>
      {alarm && onShow && <Statements statements={[alarm]} onShow={onShow} />}
      <ul className={styles.questions} aria-label="Assessed">
        {questionGroups(overview.questions).map(({ state, label, titles }) => (
          <li key={state} data-state={state}>
            <b>{label}:</b> {titles.join(', ')}
          </li>
        ))}
      </ul>
    </>
  )
}

function Statements({ statements, onShow }: { statements: CaseOverview['statements']; onShow: Show }) {
  if (statements.length === 0) return null
  return (
    <ul className={styles.statements}>
      {statements.map((statement) => (
        <li key={`${statement.host}:${statement.text}`} data-kind={statement.kind}>
          {statement.host && <span className={styles.soft}>{statement.host}: </span>}
          <Unbroken text={statement.text} /> <Citation statement={statement} onShow={onShow} />
        </li>
      ))}
    </ul>
  )
}

/** The numbers of the headline, each with a link to its line, and the suspected cause below a headline that is not of it. */
export function Chips({ chips, mayBe, onShow }: { chips: CaseOverview['headline']['chips']; mayBe: string; onShow: Show }) {
  return (
    <>
      {chips.map(({ text, title, citation }) => (
        <button key={text} type="button" className={styles.chip} title={title} aria-label={`${text}: ${title}`} onClick={() => onShow(citation.evidence_id, citation.first_line)}>
          {text}
        </button>
      ))}
      {mayBe && <span className={styles.soft} data-testid="may-be">{`may be: ${mayBe}`}</span>}
    </>
  )
}

export function Citation({ statement, onShow }: { statement: CaseOverview['statements'][number]; onShow: Show }) {
  const citation = statement.citations[0]
  if (!citation) return null
  return (
    <button type="button" className={styles.citation} onClick={() => onShow(citation.evidence_id, citation.first_line)}>
      {fileOf(citation)}
      {linesOf(citation)}
    </button>
  )
}
