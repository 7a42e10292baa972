import { useState } from 'react'
import { type Sending, type UploadRead, useForgetSent, useSendActions, useSendings, useUploads } from '../../api'
import { format } from '../../profile'
import { Button, useToast } from '../../ui'
import { SendingRow } from './SendingRow'
import styles from './uploads.module.css'
import { WaitingRow } from './WaitingRow'
import { pace } from './words'

/** So many rows are looked over; of more, only the count is told. */
const ROWS = 100

type Props = { caseId: string; caseNumber: number }

/** Every file on its way into the case: from this tab with its rate, from elsewhere with what has come. */
export function UploadList({ caseId, caseNumber }: Props) {
  const sendings = useSendings(caseNumber)
  const uploads = useUploads(caseId)
  const say = useToast()
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
    const back = actions.cancel(sending.key)
    const undo = () => {
      if (id) show(id)
      back()
    }
    say(`${sending.path} was taken off.`, { undo })
  }
  const discard = (upload: UploadRead, name: string) => {
    hide(upload.id)
    const back = actions.discard(upload.id, () => show(upload.id))
    const undo = () => {
      show(upload.id)
      back()
    }
    say(`What came of ${name} is forgotten.`, { undo })
  }
  return (
    <section className={styles.panel} aria-label="Files on their way" data-testid="upload-list">
      <Whole sendings={sendings} onPause={actions.pause} onResume={actions.resume} />
      <ul className={styles.rows}>
        {sendings.slice(0, ROWS).map((sending) => (
          <li key={sending.key}>
            <SendingRow sending={sending} onPause={actions.pause} onResume={actions.resume} onCancel={() => cancel(sending)} />
          </li>
        ))}
        {others.slice(0, ROWS).map((upload) => (
          <li key={upload.id}>
            <WaitingRow upload={upload} onDiscard={discard} />
          </li>
        ))}
      </ul>
      {sendings.length > ROWS && <p className={styles.soft}>and {format.count(sendings.length - ROWS)} more</p>}
    </section>
  )
}

type WholeProps = { sendings: readonly Sending[]; onPause: (key: string) => void; onResume: (key: string) => void }

/** All files of this tab together; worth a line from two files on. */
function Whole({ sendings, onPause, onResume }: WholeProps) {
  if (sendings.length < 2) return null
  const sum = (of: (sending: Sending) => number) => sendings.reduce((total, each) => total + of(each), 0)
  const [bytes, whole, rate] = [sum(({ sentBytes }) => sentBytes), sum(({ sizeBytes }) => sizeBytes), sum(({ bytesPerSecond }) => bytesPerSecond)]
  const paused = sendings.filter(({ stage }) => stage === 'paused')
  const running = sendings.filter(({ stage }) => stage === 'waiting' || stage === 'sending' || stage === 'away')
  return (
    <div className={styles.whole}>
      <progress className={styles.bar} value={bytes} max={whole || 1} aria-label="All files" />
      <span role="status">
        {format.count(sendings.length)} files · {pace(bytes, whole, rate)}
      </span>
      <span className={styles.actions}>
        {running.length > 0 && <Button onClick={() => running.forEach(({ key }) => onPause(key))}>Pause all</Button>}
        {running.length === 0 && paused.length > 0 && <Button onClick={() => paused.forEach(({ key }) => onResume(key))}>Resume all</Button>}
      </span>
    </div>
  )
}
