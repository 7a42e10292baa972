import type { Whole } from '../../api'
import { format } from '../../profile'
import styles from './selection.module.css'
import { isEverything, type GraphState } from './types'

type Props = { whole: Whole; selection: GraphState['selection']; weight: number; samples: number; unit: string; onLine: (line: number) => void }

/** Caveats shown as a banner, because they make the graph misleading; the others are collapsed. */
const SERIOUS = new Set(['lost_events', 'user_only', 'truncated_stacks', 'cut_off', 'no_weights', 'few_samples'])

/** The total that 100 % stands for, the shares of idle, unresolved and lost samples, and the caveats of the recording. */
export function ProfileSummary({ whole, selection, weight, samples, unit, onLine }: Props) {
  const isFiltered = !isEverything({ ...selection, weight: undefined })
  const isCounted = unit === 'samples' || unit === 'share' || (unit === 'count' && weight === samples)
  const serious = whole.quality.filter(({ name }) => SERIOUS.has(name))
  const minor = whole.quality.filter(({ name }) => !SERIOUS.has(name))
  return (
    <div className={styles.summaryBox}>
      {serious.map(({ name, detail, line }) => (
        <p key={name} className={styles.banner} data-testid={`quality-${name}`}>
          {detail}{' '}
          {line > 0 && (
            <button type="button" className={styles.link} onClick={() => onLine(line)}>
              line {format.count(line)}
            </button>
          )}
        </p>
      ))}
      {whole.has_weights && (
        <p className={styles.summary} data-testid="profile-summary">
          <span>
            <strong>100 %</strong> is {isCounted ? format.samples(samples) : `${format.weight(weight, unit)} in ${format.samples(samples)}`}
            {isFiltered && whole.samples > 0 && `, ${format.share(samples / whole.samples)} of all samples`}
          </span>
          {whole.duration_s !== null && <span>{format.weight(whole.duration_s * 1e9, 'ns')} recorded</span>}
          {whole.samples > 1 && <span>idle {format.share(whole.idle_share)}</span>}
          <span className={whole.unknown_share > 0.2 ? styles.weak : undefined}>unresolved symbols {format.share(whole.unknown_share)}</span>
          {whole.no_stack_share > 0 && <span className={whole.no_stack_share > 0.05 ? styles.weak : undefined}>without stack {format.share(whole.no_stack_share)}</span>}
          {!whole.quality.some(({ name }) => name === 'lost_events') && whole.has_time && <span>no lost events reported</span>}
        </p>
      )}
      {minor.length > 0 && (
        <details className={styles.caveats}>
          <summary>{minor.length === 1 ? '1 caveat' : `${minor.length} caveats`} of this recording</summary>
          <ul>
            {minor.map(({ name, detail }) => (
              <li key={name}>{detail}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
