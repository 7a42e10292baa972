import type { ReactNode } from 'react'
import { type CaseOverview, useOverview } from '../../api'
import { CodeSpans, Notice, Tag, Unbroken } from '../../ui'
import { NO_SIGNATURE } from '../../words'
import { SEVERITY_TONES } from '../findings'
import { fileOf, linesOf } from '../analyses'
import styles from './overview.module.css'
import { hostWords, isCalm, leadingSignature, leadOf, otherHosts, questionGroups, strongestAlarm } from './questions'

/** Statements below a finding. */
const OBSERVATIONS = 5

/** Names in the hint of a row. */
const NAMED_HOSTS = 60

type Place = CaseOverview['statements'][number]['citations'][number]
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
      <OtherHosts overview={overview} onShow={onShow} />
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
      {onShow && <OtherHosts overview={overview} onShow={onShow} />}
    </>
  )
}

/** What leads on the other hosts: one row for all hosts with the same headline. */
function OtherHosts({ overview, onShow }: { overview: CaseOverview; onShow: Show }) {
  const { leads, more } = otherHosts(overview)
  if (leads.length === 0) return null
  return (
    <ul className={styles.questions} aria-label="Other hosts">
      {leads.map((lead) => (
        <li key={`${lead.kind}:${lead.text}`}>
          <b title={lead.hosts.slice(0, NAMED_HOSTS).join(', ')}>{hostWords(lead)}:</b> <Unbroken text={lead.text} /> {lead.citation && <Cited place={lead.citation} onShow={onShow} />}
        </li>
      ))}
      {more > 0 && <li className={styles.soft}>{more === 1 ? '1 more host shows something' : `${more} more hosts show something`}</li>}
    </ul>
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
  return citation ? <Cited place={citation} onShow={onShow} /> : null
}

export function Cited({ place, onShow }: { place: Place; onShow: Show }) {
  return (
    <button type="button" className={styles.citation} onClick={() => onShow(place.evidence_id, place.first_line)}>
      {fileOf(place)}
      {linesOf(place)}
    </button>
  )
}
