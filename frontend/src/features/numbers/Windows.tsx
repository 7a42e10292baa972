import type { SeriesLines } from '../../api'
import { Button } from '../../ui'
import styles from './numbers.module.css'
import { lineNames, reading } from './words'

type Props = { told: SeriesLines; isRanking: boolean; onLines: (evidenceId: string, line: number) => void }

/** A bar for every value: a ranking of what was measured once, or averages over windows that all end now. */
export function Windows({ told, isRanking, onLines }: Props) {
  const names = lineNames(told.lines)
  const bars = told.lines.flatMap((line, place) =>
    line.value.map((value, at) => ({
      value,
      words: isRanking ? (names[place] ?? '') : `${names[place] === told.value ? '' : `${names[place]} · `}last ${windowWords(line.time[at] ?? 0)}`,
      evidenceId: line.evidence_id,
      line: line.line[at],
    })),
  )
  const most = Math.max(...bars.map(({ value }) => Math.abs(value)), told.unit === 'share' && !isRanking ? 1 : 0) || 1
  return (
    <>
      <ul className={styles.bars}>
        {bars.map((bar) => (
          <li key={bar.words}>
            <Button look="quiet" title="Show the line it is read from" onClick={() => onLines(bar.evidenceId, bar.line ?? 1)}>
              <span className={styles.barName}>{bar.words}</span>
            </Button>
            <span className={styles.barBox} aria-hidden="true">
              <span style={{ width: `${(Math.abs(bar.value) / most) * 100}%` }} />
            </span>
            <span className={styles.barValue}>{reading(bar.value, told.unit)}</span>
          </li>
        ))}
      </ul>
      {told.left_out > 0 && <p className={styles.soft}>{told.left_out} lower ones are not shown</p>}
    </>
  )
}

function windowWords(seconds: number): string {
  return seconds >= 120 ? `${seconds / 60} min` : `${seconds} s`
}
