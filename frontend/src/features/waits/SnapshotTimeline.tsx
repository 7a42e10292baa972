import type { WaitSnapshot } from '../../api'
import { Cited, type Show } from './Cited'
import styles from './waits.module.css'

const [WIDTH, BAR, GAP, HEIGHT] = [36, 28, 8, 60]

const SOURCES: Record<WaitSnapshot['source'], string> = { log: 'Kernel log', ps: 'ps', files: 'Files below /proc', debugger: 'Stacks by thread', dump: 'Memory dump' }

/** Blocked tasks per snapshot and kind of evidence; the dark part has not moved since the snapshot of its kind before. */
export function SnapshotTimeline({ snapshots, onShow }: { snapshots: readonly WaitSnapshot[]; onShow: Show }) {
  if (snapshots.length < 2) return null
  const most = Math.max(1, ...snapshots.map(({ blocked }) => blocked))
  const sources = [...new Set(snapshots.map(({ source }) => source))]
  return (
    <section aria-label="Snapshots" data-testid="wait-snapshots">
      <h3>
        Snapshots <span className={styles.soft}>{snapshots.length}, compared within one kind of evidence</span>
      </h3>
      <div className={styles.series}>
        {sources.map((source) => (
          <OneSource key={source} name={SOURCES[source]} snapshots={snapshots.filter((one) => one.source === source)} most={most} onShow={onShow} />
        ))}
      </div>
    </section>
  )
}

type Props = { name: string; snapshots: readonly WaitSnapshot[]; most: number; onShow: Show }

function OneSource({ name, snapshots, most, onShow }: Props) {
  const tall = (count: number) => (count / most) * HEIGHT
  return (
    <div>
      <h4>{name}</h4>
      {snapshots.length > 1 && (
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
      )}
      <ol className={styles.snapshots}>
        {snapshots.map((one, at) => (
          <li key={at}>
            {at + 1}. {one.citations[0] && <Cited citation={one.citations[0]} onShow={onShow} />}
            {one.at !== null && ` at ${one.at.toLocaleString('en')} s`}: {one.blocked.toLocaleString('en')} of {one.tasks.toLocaleString('en')} tasks blocked
            {one.stuck > 0 && `, ${one.stuck.toLocaleString('en')} at the same place as before`}
          </li>
        ))}
      </ol>
    </div>
  )
}
