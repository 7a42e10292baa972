import { useMemo, useState } from 'react'
import { type Histogram, useHistograms, useSeries } from '../../api'
import { Notice } from '../../ui'
import { HistogramChart } from './HistogramChart'
import styles from './numbers.module.css'
import { SeriesChart } from './SeriesChart'

type Props = { caseId: string; charts: readonly string[]; onCharts: (charts: string[]) => void; onLines: (evidenceId: string, line: number) => void }

/** Histograms (bpftrace, bcc) and time series of a case. */
export function NumbersView({ caseId, charts, onCharts, onLines }: Props) {
  const histograms = useHistograms(caseId)
  const series = useSeries(caseId)
  const families = useMemo(() => familiesOf(histograms.data?.items ?? []), [histograms.data])
  const [hasOpened, setHasOpened] = useState(false)
  const tables = (series.data?.items ?? []).filter(({ id }) => !id.startsWith('fact:'))
  const facts = (series.data?.items ?? []).filter(({ id }) => id.startsWith('fact:'))
  const error = histograms.error ?? series.error
  const unreadable = [...new Set([...(histograms.data?.unreadable ?? []), ...(series.data?.unreadable ?? [])])]
  const isEmpty = histograms.data?.items.length === 0 && series.data?.items.length === 0 && unreadable.length === 0
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label="Histograms and time series" data-testid="numbers">
      {error && (
        <Notice what="Histograms or time series could not be loaded." retry={() => void Promise.all([histograms.refetch(), series.refetch()])}>
          {error.message}
        </Notice>
      )}
      {(histograms.isPending || series.isPending) && <div className={styles.waiting} role="status" aria-label="Loading histograms and series" />}
      {unreadable.length > 0 && (
        <Notice what="Some evidence is left out.">
          {unreadable.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      {isEmpty && <p className={styles.none}>No histograms or time series. Sources: bpftrace maps, pidstat, vmstat, /proc/pressure.</p>}
      {families.length > 0 && (
        <section aria-labelledby="histograms">
          <h2 id="histograms">Histograms</h2>
          <div className={styles.grid}>
            {families.map((family) => (
              <HistogramChart key={family[0]?.id} family={family} charts={charts} onCharts={onCharts} onLines={onLines} />
            ))}
          </div>
        </section>
      )}
      {series.data && series.data.items.length > 0 && (
        <section aria-labelledby="series">
          <h2 id="series">Time series</h2>
          <div className={styles.grid}>
            {tables.map((one) => (
              <SeriesChart key={one.id} caseId={caseId} series={one} charts={charts} onCharts={onCharts} onLines={onLines} />
            ))}
          </div>
          {facts.length > 0 && (
            <details className={styles.more} onToggle={(event) => setHasOpened(hasOpened || event.currentTarget.open)}>
              <summary>
                {facts.length} repeated {facts.length === 1 ? 'fact' : 'facts'}
              </summary>
              {hasOpened && (
                <div className={styles.grid}>
                  {facts.map((one) => (
                    <SeriesChart key={one.id} caseId={caseId} series={one} charts={charts} onCharts={onCharts} onLines={onLines} />
                  ))}
                </div>
              )}
            </details>
          )}
        </section>
      )}
    </div>
  )
}

/** Group histograms by map and file; the keys of a group are overlaid. */
function familiesOf(histograms: readonly Histogram[]): Histogram[][] {
  const families = new Map<string, Histogram[]>()
  for (const one of histograms) {
    const key = JSON.stringify([one.evidence_id, one.section, one.name, one.unit])
    families.set(key, [...(families.get(key) ?? []), one])
  }
  return [...families.values()].map((family) => family.toSorted((a, b) => b.count - a.count))
}
