import type { WaitSnapshot } from '../../api'
import type { Show } from './Cited'
import styles from './waits.module.css'

const [WIDTH, BAR, GAP, HEIGHT] = [36, 28, 8, 60]

/** Blocked tasks per snapshot; the dark part has not moved since the snapshot before. */
export function SnapshotTimeline({ snapshots, onShow }: { snapshots: readonly WaitSnapshot[]; onShow: Show }) {
  if (snapshots.length < 2) return null
  const most = Math.max(1, ...snapshots.map(({ blocked }) => blocked))
  const tall = (count: number) => (count / most) * HEIGHT
  return (
    <section aria-label="Snapshots" data-testid="wait-snapshots">
      <h3>Snapshots</h3>
      <svg className={styles.timeline} width={snapshots.length * (WIDTH + GAP)} height={HEIGHT + 18} aria-hidden="true">
        {snapshots.map((one, at) => (
          <g key={at} transform={`translate(${at * (WIDTH + GAP)} 0)`}>
            <rect className={styles.moved} y={HEIGHT - tall(one.blocked)} width={BAR} height={tall(one.blocked)} />
            <rect className={styles.stuck} y={HEIGHT - tall(one.stuck)} width={BAR} height={tall(one.stuck)} />
            <text x={BAR / 2} y={HEIGHT + 13}>
              {at + 1}
            </text>
          </g>
        ))}
      </svg>
      <ol className={styles.snapshots}>
        {snapshots.map((one, at) => (
          <li key={at}>
            {at + 1}.{' '}
            <button type="button" className={styles.citation} onClick={() => onShow(one.evidence_id, 1)}>
              {one.evidence.split('/').at(-1)}
            </button>
            {one.at !== null && ` at ${one.at.toLocaleString('en')} s`}: {one.blocked.toLocaleString('en')} of {one.tasks.toLocaleString('en')} tasks blocked
            {one.stuck > 0 && `, ${one.stuck.toLocaleString('en')} at the same place as before`}
          </li>
        ))}
      </ol>
    </section>
  )
}
