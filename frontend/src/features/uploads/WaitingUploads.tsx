import { type ReactNode, useState } from 'react'
import { type Sending, type UploadRead, useAllSendings, useOwnUploads, useSendActions } from '../../api'
import { format } from '../../profile'
import { useToast } from '../../ui'
import { SendingRow } from './SendingRow'
import styles from './uploads.module.css'
import { WaitingRow } from './WaitingRow'

const ROWS = 20

type Props = { linkTo: (caseNumber: number, text: ReactNode) => ReactNode }

/** What somebody began to send and has not sent whole, with the case it belongs to: seen again after a tab was closed. */
export function WaitingUploads({ linkTo }: Props) {
  const uploads = useOwnUploads()
  const sendings = useAllSendings().filter(({ stage }) => stage !== 'sent')
  const actions = useSendActions(undefined)
  const say = useToast()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const own = new Set(sendings.map(({ uploadId }) => uploadId))
  const waiting = (uploads.data ?? []).filter(({ id }) => !own.has(id) && !hidden.includes(id))
  if (waiting.length + sendings.length === 0) return null
  const placeOf = (caseNumber: number | null) => caseNumber !== null && <span>{linkTo(caseNumber, `case ${caseNumber}`)}</span>
  const cancel = ({ key, path }: Sending) => {
    const undo = actions.cancel(key)
    say(`${path} was taken off.`, { undo })
  }
  const discard = (upload: UploadRead, name: string) => {
    setHidden((all) => [...all, upload.id])
    const show = () => setHidden((all) => all.filter((each) => each !== upload.id))
    const back = actions.discard(upload.id, show)
    const undo = () => {
      show()
      back()
    }
    say(`What came of ${name} is forgotten.`, { undo })
  }
  return (
    <section className={styles.panel} aria-labelledby="unfinished" data-testid="waiting-uploads">
      <h2 id="unfinished" className={styles.head}>
        Not all here yet
      </h2>
      <ul className={styles.rows}>
        {sendings.slice(0, ROWS).map((sending) => (
          <li key={sending.key}>
            <SendingRow sending={sending} onPause={actions.pause} onResume={actions.resume} onCancel={() => cancel(sending)} place={placeOf(sending.caseNumber)} />
          </li>
        ))}
        {waiting.map((upload) => (
          <li key={upload.id}>
            <WaitingRow upload={upload} onDiscard={discard} place={placeOf(upload.case_number)} />
          </li>
        ))}
      </ul>
      {sendings.length > ROWS && <p className={styles.soft}>and {format.count(sendings.length - ROWS)} more</p>}
    </section>
  )
}
