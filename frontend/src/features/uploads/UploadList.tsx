import { useState } from 'react'
import { type Sending, type UploadRead, useForgetSent, useSendActions, useSendings, useUploads } from '../../api'
import { useToast } from '../../ui'
import { SendingRows } from './SendingRows'
import styles from './uploads.module.css'
import { UnfinishedRow } from './UnfinishedRow'

/** Limit of shown rows of other tabs and machines. */
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
    const removal = actions.cancel(sending.key)
    const undo = () => {
      if (id) show(id)
      removal.undo()
    }
    toast(`Cancelled ${sending.path}.`, { ...removal, undo })
  }
  const discard = (upload: UploadRead, name: string) => {
    hide(upload.id)
    const undo = () => show(upload.id)
    toast(`Discarded the upload of ${name}.`, { undo, finish: actions.discard(upload.id, undo) })
  }
  return (
    <section className={styles.panel} aria-label="Uploads" data-testid="upload-list">
      <SendingRows sendings={sendings} onPause={actions.pause} onResume={actions.resume} onCancel={cancel} />
      <ul className={styles.rows}>
        {others.slice(0, MAX_ROWS).map((upload) => (
          <li key={upload.id}>
            <UnfinishedRow upload={upload} onDiscard={discard} />
          </li>
        ))}
      </ul>
    </section>
  )
}
