import type { Whole } from '../../api'
import { format } from '../../profile'
import styles from './selection.module.css'
import { isEverything, type GraphState } from './types'

type Props = { whole: Whole; selection: GraphState['selection']; weight: number; samples: number; unit: string; onLine: (line: number) => void }

/** Qualities that make the picture itself misleading; the others are told, but do not stand in the way. */
const SERIOUS = new Set(['lost_events', 'user_only', 'truncated_stacks', 'cut_off', 'no_weights', 'few_samples'])

/** What 100 % is, what of the recording is idle, unnamed or lost, and what weakens it: never left to be guessed. */
export function TruthLine({ whole, selection, weight, samples, unit, onLine }: Props) {
  const isPart = !isEverything({ ...selection, weight: undefined })
  const serious = whole.quality.filter(({ name }) => SERIOUS.has(name))
  const lesser = whole.quality.filter(({ name }) => !SERIOUS.has(name))
  return (
    <div className={styles.truthBox}>
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
      <p className={styles.truth} data-testid="truth">
        <span>
          <strong>100 %</strong> is {whole.has_weights ? format.weight(weight, unit) : 'all stacks; they have no weights'}
          {unit !== 'samples' && ` in ${format.count(samples)} samples`}
          {isPart && whole.samples > 0 && `, ${format.share(samples / whole.samples)} of all samples`}
        </span>
        {whole.duration_s !== null && <span>{format.weight(whole.duration_s * 1e9, 'ns')} recorded</span>}
        <span>idle {format.share(whole.idle_share)}</span>
        <span className={whole.unknown_share > 0.2 ? styles.weak : undefined}>no name {format.share(whole.unknown_share)}</span>
        {whole.no_stack_share > 0 && <span className={whole.no_stack_share > 0.05 ? styles.weak : undefined}>without stack {format.share(whole.no_stack_share)}</span>}
        {!whole.quality.some(({ name }) => name === 'lost_events') && whole.has_time && <span>no lost events reported</span>}
      </p>
      {lesser.length > 0 && (
        <details className={styles.notes}>
          <summary>{lesser.length === 1 ? 'A note' : `${lesser.length} notes`} on this recording</summary>
          <ul>
            {lesser.map(({ name, detail }) => (
              <li key={name}>{detail}</li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
