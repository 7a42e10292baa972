import type { SeriesLines } from '../../api'
import { Button } from '../../ui'
import styles from './numbers.module.css'
import { formatValue, lineNames } from './labels'

type Props = { series: SeriesLines; isRanking: boolean; onLines: (evidenceId: string, line: number) => void }

/** Bars of a ranking (one value per line) or of averages over time windows. */
export function BarList({ series, isRanking, onLines }: Props) {
  const names = lineNames(series.lines)
  const bars = series.lines.flatMap((line, index) =>
    line.value.map((value, at) => ({
      value,
      label: isRanking ? (names[index] ?? '') : `${names[index] === series.value ? '' : `${names[index]} · `}last ${windowLabel(line.time[at] ?? 0)}`,
      evidenceId: line.evidence_id,
      line: line.line[at],
    })),
  )
  const maxValue = Math.max(...bars.map(({ value }) => Math.abs(value)), series.unit === 'share' && !isRanking ? 1 : 0) || 1
  return (
    <>
      <ul className={styles.bars}>
        {bars.map((bar) => (
          <li key={bar.label}>
            <Button look="quiet" title="Show source line" onClick={() => onLines(bar.evidenceId, bar.line ?? 1)}>
              <span className={styles.barName}>{bar.label}</span>
            </Button>
            <span className={styles.barBox} aria-hidden="true">
              <span style={{ width: `${(Math.abs(bar.value) / maxValue) * 100}%` }} />
            </span>
            <span className={styles.barValue}>{formatValue(bar.value, series.unit)}</span>
          </li>
        ))}
      </ul>
      {series.left_out > 0 && <p className={styles.soft}>{series.left_out} lower bars not shown</p>}
    </>
  )
}

function windowLabel(seconds: number): string {
  return seconds >= 120 ? `${seconds / 60} min` : `${seconds} s`
}
