import { type ReactNode, useState } from 'react'
import type { Sending } from '../../api'
import { format } from '../../profile'
import { Button } from '../../ui'
import { progressText } from './labels'
import { SendingRow } from './SendingRow'
import styles from './uploads.module.css'

/** Limit of shown rows; the rest is counted. */
const MAX_ROWS = 100
/** More files are one bar, until somebody opens it. */
const MAX_OPEN_ROWS = 3
/** Rows of large files stay below the bar: their progress and pause matter. */
const LARGE_BYTES = 8 * 1024 * 1024

type Props = {
  sendings: readonly Sending[]
  onPause: (key: string) => void
  onResume: (key: string) => void
  onCancel: (sending: Sending) => void
  caseLinkOf?: (caseNumber: number | null) => ReactNode
}

const needsAttention = ({ stage, sizeBytes }: Sending) => stage === 'stopped' || stage === 'taken' || (sizeBytes > LARGE_BYTES && stage !== 'waiting')

/** The files that this tab uploads: many as one bar with the rows that need attention. */
export function SendingRows({ sendings, onPause, onResume, onCancel, caseLinkOf }: Props) {
  const [isOpened, setIsOpened] = useState(false)
  const isCollapsible = sendings.length > MAX_OPEN_ROWS
  const rows = !isCollapsible || isOpened ? sendings : sendings.filter(needsAttention)
  return (
    <>
      {sendings.length > 1 && (
        <TotalProgress sendings={sendings} onPause={onPause} onResume={onResume}>
          {isCollapsible && (
            <Button look="quiet" aria-expanded={isOpened} onClick={() => setIsOpened(!isOpened)}>
              {isOpened ? 'Hide files' : 'Show files'}
            </Button>
          )}
        </TotalProgress>
      )}
      <ul className={styles.rows}>
        {rows.slice(0, MAX_ROWS).map((sending) => (
          <li key={sending.key}>
            <SendingRow sending={sending} onPause={onPause} onResume={onResume} onCancel={() => onCancel(sending)} caseLink={caseLinkOf?.(sending.caseNumber)} />
          </li>
        ))}
      </ul>
      {rows.length > MAX_ROWS && <p className={styles.soft}>and {format.count(rows.length - MAX_ROWS)} more</p>}
    </>
  )
}

type TotalProgressProps = { sendings: readonly Sending[]; onPause: (key: string) => void; onResume: (key: string) => void; children: ReactNode }

/** The total progress of this tab. */
function TotalProgress({ sendings, onPause, onResume, children }: TotalProgressProps) {
  const sum = (of: (sending: Sending) => number) => sendings.reduce((total, each) => total + of(each), 0)
  const [bytes, totalBytes, rate] = [sum(({ sentBytes }) => sentBytes), sum(({ sizeBytes }) => sizeBytes), sum(({ bytesPerSecond }) => bytesPerSecond)]
  const paused = sendings.filter(({ stage }) => stage === 'paused')
  const running = sendings.filter(({ stage }) => stage === 'waiting' || stage === 'sending' || stage === 'away')
  return (
    <div className={styles.total}>
      <progress className={styles.bar} value={bytes} max={totalBytes || 1} aria-label="All files" />
      <span role="status">
        {format.count(sendings.length)} files · {progressText(bytes, totalBytes, rate)}
      </span>
      <span className={styles.actions}>
        {children}
        {running.length > 0 && <Button onClick={() => running.forEach(({ key }) => onPause(key))}>Pause all</Button>}
        {running.length === 0 && paused.length > 0 && <Button onClick={() => paused.forEach(({ key }) => onResume(key))}>Resume all</Button>}
      </span>
    </div>
  )
}
