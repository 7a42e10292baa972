import { useState } from 'react'
import { type Sending, type UploadRead, useForgetSent, useSendActions, useSendings, useUploads } from '../../api'
import { format } from '../../profile'
import { Button, useToast } from '../../ui'
import { SendingRow } from './SendingRow'
import styles from './uploads.module.css'
import { UnfinishedRow } from './UnfinishedRow'
import { progressText } from './labels'

/** Limit of shown rows; the rest is counted. */
const MAX_ROWS = 100

type Props = { caseId: string; caseNumber: number }

/** The unfinished uploads of a case: of this tab with their rate, of other tabs and machines with their offset. */
export function UploadList({ caseId, caseNumber }: Props) {
  const sendings = useSendings(caseNumber)
  const uploads = useUploads(caseId)
  const toast = useToast()
  const actions = useSendActions(caseId)
  const [hidden, setHidden] = useState<readonly string[]>([])
  useForgetSent(caseId, sendings, uploads.data)
  const own = new Set(sendings.map(({ uploadId }) => uploadId))
  const others = (uploads.data ?? []).filter(({ id }) => !own.has(id) && !hidden.includes(id))
  if (sendings.length + others.length === 0) return null
  const hide = (id: string) => setHidden((all) => [...all, id])
  const show = (id: string) => setHidden((all) => all.filter((each) => each !== id))
  const cancel = (sending: Sending) => {
    const id = sending.uploadId
    if (id) hide(id)
    const restore = actions.cancel(sending.key)
    const undo = () => {
      if (id) show(id)
      restore()
    }
    toast(`Cancelled ${sending.path}.`, { undo })
  }
  const discard = (upload: UploadRead, name: string) => {
    hide(upload.id)
    const restore = actions.discard(upload.id, () => show(upload.id))
    const undo = () => {
      show(upload.id)
      restore()
    }
    toast(`Discarded the upload of ${name}.`, { undo })
  }
  return (
    <section className={styles.panel} aria-label="Uploads" data-testid="upload-list">
      <TotalProgress sendings={sendings} onPause={actions.pause} onResume={actions.resume} />
      <ul className={styles.rows}>
        {sendings.slice(0, MAX_ROWS).map((sending) => (
          <li key={sending.key}>
            <SendingRow sending={sending} onPause={actions.pause} onResume={actions.resume} onCancel={() => cancel(sending)} />
          </li>
        ))}
        {others.slice(0, MAX_ROWS).map((upload) => (
          <li key={upload.id}>
            <UnfinishedRow upload={upload} onDiscard={discard} />
          </li>
        ))}
      </ul>
      {sendings.length > MAX_ROWS && <p className={styles.soft}>and {format.count(sendings.length - MAX_ROWS)} more</p>}
    </section>
  )
}

type TotalProgressProps = { sendings: readonly Sending[]; onPause: (key: string) => void; onResume: (key: string) => void }

/** The total progress of this tab, for two files or more. */
function TotalProgress({ sendings, onPause, onResume }: TotalProgressProps) {
  if (sendings.length < 2) return null
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
        {running.length > 0 && <Button onClick={() => running.forEach(({ key }) => onPause(key))}>Pause all</Button>}
        {running.length === 0 && paused.length > 0 && <Button onClick={() => paused.forEach(({ key }) => onResume(key))}>Resume all</Button>}
      </span>
    </div>
  )
}
