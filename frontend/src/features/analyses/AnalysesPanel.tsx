import { type Figure, type Panel, useAnalyses } from '../../api'
import { Fold, Notice } from '../../ui'
import { quantity } from '../findings'
import styles from './analyses.module.css'
import { fileOf, groupPanels, linesOf, missingCommands } from './panelGroups'

type Show = (evidenceId: string, line: number) => void
type Props = { caseId: string; onShow: Show }

/** System-wide analyses, independent of signatures: notable panels open, the others collapsed. */
export function AnalysesPanel({ caseId, onShow }: Props) {
  const analyses = useAnalyses(caseId)
  if (analyses.error) {
    return (
      <Notice what="The system overview could not be loaded." retry={() => void analyses.refetch()}>
        {analyses.error.message} Evidence and findings are not affected.
      </Notice>
    )
  }
  if (!analyses.data || analyses.data.panels.length === 0) return null
  const { notable, normal, unjudged, unknown, hasHosts } = groupPanels(analyses.data.panels)
  return (
    <section className={styles.panel} aria-label="System overview" data-testid="analyses">
      <h2 className={styles.head}>System overview</h2>
      {notable.length === 0 && normal.length > 0 && <p className={styles.soft}>No anomaly in the assessed panels.</p>}
      {notable.map((panel) => (
        <Analysis key={`${panel.name}:${panel.host}:${panel.phase}`} panel={panel} hasHost={hasHosts} isOpen onShow={onShow} />
      ))}
      <Panels label="normal" panels={normal} hasHosts={hasHosts} isOpen={notable.length === 0} onShow={onShow} />
      <Panels label="not judged" panels={unjudged} hasHosts={hasHosts} isOpen={notable.length === 0} onShow={onShow} />
      {unknown.length > 0 && (
        <Fold className={styles.fold} summary={`${unknown.length} not looked at`}>
          <Unanswered panels={unknown} commands={missingCommands([...unjudged, ...unknown])} />
        </Fold>
      )}
    </section>
  )
}

/** The panels without data, and the commands whose output they lack. */
function Unanswered({ panels, commands }: { panels: Panel[]; commands: string[] }) {
  return (
    <>
      <ul className={styles.plain}>
        {panels.map((panel) => (
          <li key={`${panel.name}:${panel.host}:${panel.phase}`}>
            {panel.title} <span className={styles.soft}>{panel.summary}</span>
          </li>
        ))}
      </ul>
      {commands.length > 0 && (
        <>
          <p className={styles.soft}>Collect to assess:</p>
          <ul className={styles.plain}>
            {commands.map((command) => (
              <li key={command}>
                <code>{command}</code>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Panels({ label, panels, hasHosts, isOpen, onShow }: { label: string; panels: Panel[]; hasHosts: boolean; isOpen: boolean; onShow: Show }) {
  if (panels.length === 0) return null
  return (
    <Fold className={styles.fold} summary={`${panels.length} ${label}`} isOpen={isOpen}>
      {panels.map((panel) => (
        <Analysis key={`${panel.name}:${panel.host}:${panel.phase}`} panel={panel} hasHost={hasHosts} isOpen={false} onShow={onShow} />
      ))}
    </Fold>
  )
}

function Analysis({ panel, hasHost, isOpen, onShow }: { panel: Panel; hasHost: boolean; isOpen: boolean; onShow: Show }) {
  const scope = [hasHost && (panel.host || 'unknown host'), panel.phase !== 'during' && panel.phase].filter(Boolean).join(', ')
  return (
    <Fold
      className={styles.analysis}
      data-state={panel.state}
      isOpen={isOpen}
      summary={
        <>
          <span className={styles.title}>{panel.title}</span> {scope && <span className={styles.soft}>({scope})</span>}
          <span className={styles.summary}>{panel.summary}</span>
        </>
      }
    >
      <table className={styles.figures}>
        <tbody>
          {panel.figures.map((figure) => (
            <Row key={`${figure.label}:${figure.citations[0]?.evidence_id}:${figure.citations[0]?.first_line}`} figure={figure} onShow={onShow} />
          ))}
        </tbody>
      </table>
    </Fold>
  )
}

function Row({ figure, onShow }: { figure: Figure; onShow: Show }) {
  const citation = figure.citations[0]
  const isText = typeof figure.value === 'string' && Number.isNaN(Number(figure.value))
  return (
    <tr data-notable={figure.is_notable || undefined}>
      <th scope="row">
        {figure.label}
        {isText && <span className={styles.text}>{figure.value}</span>}
        {figure.note && <span className={styles.note}>{figure.note}</span>}
      </th>
      <td className={styles.value}>{!isText && quantity(figure.value, figure.unit)}</td>
      <td>
        {citation && (
          <button type="button" className={styles.citation} onClick={() => onShow(citation.evidence_id, citation.first_line)}>
            <span className={styles.file}>{fileOf(citation)}</span>
            <span>{linesOf(citation)}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
