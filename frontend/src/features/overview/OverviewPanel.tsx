import { type CaseOverview, useOverview } from '../../api'
import { Command, Notice } from '../../ui'
import { fileOf, linesOf } from '../analyses'
import styles from './overview.module.css'
import { leadOf, questionGroups } from './questions'

type Show = (evidenceId: string, line: number) => void
type Props = { caseId: string; onShow: Show }

/** The first screen of a case: headline, what was assessed, the strongest statements, the next capture. */
export function OverviewPanel({ caseId, onShow }: Props) {
  const overview = useOverview(caseId)
  if (overview.error) {
    return (
      <Notice what="The overview could not be loaded." retry={() => void overview.refetch()}>
        {overview.error.message} Evidence and findings are not affected.
      </Notice>
    )
  }
  if (!overview.data || overview.data.evidence_rev === 0) return null
  return <Loaded overview={overview.data} onShow={onShow} />
}

function Loaded({ overview, onShow }: { overview: CaseOverview; onShow: Show }) {
  const { headline, next_capture, signatures } = overview
  const { lead, others } = leadOf(overview)
  const isEmpty = headline.kind === 'no evidence'
  return (
    <section className={styles.panel} data-kind={headline.kind} aria-label="Overview" data-testid="overview">
      <h2 className={styles.headline}>{headline.text}</h2>
      {lead && <Citation statement={lead} onShow={onShow} />}
      {!isEmpty && (
        <ul className={styles.questions} aria-label="Assessed">
          {questionGroups(overview.questions).map(({ state, label, titles }) => (
            <li key={state} data-state={state}>
              <b>{label}:</b> {titles.join(', ')}
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className={styles.statements}>
          {others.map((statement) => (
            <li key={`${statement.host}:${statement.text}`} data-kind={statement.kind}>
              {statement.host && <span className={styles.soft}>{statement.host}: </span>}
              {statement.text} <Citation statement={statement} onShow={onShow} />
            </li>
          ))}
        </ul>
      )}
      {next_capture && (
        <div>
          <h3 className={styles.subhead}>Collect next</h3>
          <Command text={next_capture} name="Next capture" />
        </div>
      )}
      {headline.signature === '' && !isEmpty && (
        <p className={styles.soft}>
          No signature matches: {signatures.checked} checked
          {signatures.close.length > 0 && `, ${signatures.close.length} close: ${signatures.close.join(', ')}`}
        </p>
      )}
    </section>
  )
}

function Citation({ statement, onShow }: { statement: CaseOverview['statements'][number]; onShow: Show }) {
  const citation = statement.citations[0]
  if (!citation) return null
  return (
    <button type="button" className={styles.citation} onClick={() => onShow(citation.evidence_id, citation.first_line)}>
      {fileOf(citation)}
      {linesOf(citation)}
    </button>
  )
}
