import { type Figure, type Panel, useAnalyses } from '../../api'
import { Notice } from '../../ui'
import { quantity } from '../findings'
import styles from './analyses.module.css'
import { fileOf, lacking, linesOf, ranked } from './rank'

type Show = (evidenceId: string, line: number) => void
type Props = { caseId: string; onShow: Show }

/** What the evidence says whether or not a signature matches: the notable first, the calm folded away. */
export function AnalysesPanel({ caseId, onShow }: Props) {
  const analyses = useAnalyses(caseId)
  if (analyses.error) {
    return (
      <Notice what="The general analyses could not be loaded." retry={() => void analyses.refetch()}>
        {analyses.error.message} Evidence and findings are safe.
      </Notice>
    )
  }
  if (!analyses.data || analyses.data.panels.length === 0) return null
  const { notable, calm, unknown, hasHosts } = ranked(analyses.data.panels)
  const missing = lacking(unknown)
  return (
    <section className={styles.panel} aria-label="In general" data-testid="analyses">
      <h2 className={styles.head}>In general</h2>
      {notable.length === 0 && calm.length > 0 && <p className={styles.soft}>Nothing is out of the ordinary in what is known.</p>}
      {notable.map((panel) => (
        <Analysis key={`${panel.name}:${panel.host}:${panel.phase}`} panel={panel} hasHost={hasHosts} isOpen onShow={onShow} />
      ))}
      {calm.length > 0 && (
        <details className={styles.fold} open={notable.length === 0}>
          <summary>{calm.length} calm</summary>
          {calm.map((panel) => (
            <Analysis key={`${panel.name}:${panel.host}:${panel.phase}`} panel={panel} hasHost={hasHosts} isOpen={false} onShow={onShow} />
          ))}
        </details>
      )}
      {unknown.length > 0 && (
        <details className={styles.fold}>
          <summary>{unknown.length} not known</summary>
          <ul className={styles.plain}>
            {unknown.map((panel) => (
              <li key={`${panel.name}:${panel.host}:${panel.phase}`}>
                {panel.title} <span className={styles.soft}>{panel.summary}</span>
              </li>
            ))}
          </ul>
          {missing.length > 0 && (
            <>
              <p className={styles.soft}>Would tell more:</p>
              <ul className={styles.plain}>
                {missing.map((what) => (
                  <li key={what}>
                    <code>{what}</code>
                  </li>
                ))}
              </ul>
            </>
          )}
        </details>
      )}
    </section>
  )
}

function Analysis({ panel, hasHost, isOpen, onShow }: { panel: Panel; hasHost: boolean; isOpen: boolean; onShow: Show }) {
  const where = [hasHost && (panel.host || 'unknown host'), panel.phase !== 'during' && panel.phase].filter(Boolean).join(', ')
  return (
    <details className={styles.analysis} data-state={panel.state} open={isOpen}>
      <summary>
        <span className={styles.title}>{panel.title}</span> {where && <span className={styles.soft}>({where})</span>}
        <span className={styles.summary}>{panel.summary}</span>
      </summary>
      <table className={styles.figures}>
        <tbody>
          {panel.figures.map((figure) => (
            <Row key={`${figure.label}:${figure.citations[0]?.evidence_id}:${figure.citations[0]?.first_line}`} figure={figure} onShow={onShow} />
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Row({ figure, onShow }: { figure: Figure; onShow: Show }) {
  const place = figure.citations[0]
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
        {place && (
          <button type="button" className={styles.place} onClick={() => onShow(place.evidence_id, place.first_line)}>
            <span className={styles.file}>{fileOf(place)}</span>
            <span>{linesOf(place)}</span>
          </button>
        )}
      </td>
    </tr>
  )
}
