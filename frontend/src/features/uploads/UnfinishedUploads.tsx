import { type ReactNode, useState } from 'react'
import { type Sending, type UploadRead, useAllSendings, useOwnUploads, useSendActions } from '../../api'
import { useToast } from '../../ui'
import { SendingRows } from './SendingRows'
import styles from './uploads.module.css'
import { UnfinishedRow } from './UnfinishedRow'

type Props = { linkTo: (caseNumber: number, text: ReactNode) => ReactNode }

/** All unfinished uploads of this account, with their cases; shown again after a tab was closed. */
export function UnfinishedUploads({ linkTo }: Props) {
  const uploads = useOwnUploads()
  const sendings = useAllSendings().filter(({ stage }) => stage !== 'sent')
  const actions = useSendActions(undefined)
  const toast = useToast()
  const [hidden, setHidden] = useState<readonly string[]>([])
  const own = new Set(sendings.map(({ uploadId }) => uploadId))
  const unfinished = (uploads.data ?? []).filter(({ id }) => !own.has(id) && !hidden.includes(id))
  if (unfinished.length + sendings.length === 0) return null
  const caseLinkOf = (caseNumber: number | null) => caseNumber !== null && <span>{linkTo(caseNumber, `case ${caseNumber}`)}</span>
  const cancel = ({ key, path }: Sending) => {
    toast(`Cancelled ${path}.`, actions.cancel(key))
  }
  const discard = (upload: UploadRead, name: string) => {
    setHidden((all) => [...all, upload.id])
    const show = () => setHidden((all) => all.filter((each) => each !== upload.id))
    toast(`Discarded the upload of ${name}.`, { undo: show, finish: actions.discard(upload.id, show) })
  }
  return (
    <section className={styles.panel} aria-labelledby="unfinished" data-testid="unfinished-uploads">
      <h2 id="unfinished" className={styles.head}>
        Unfinished uploads
      </h2>
      <SendingRows sendings={sendings} onPause={actions.pause} onResume={actions.resume} onCancel={cancel} caseLinkOf={caseLinkOf} />
      <ul className={styles.rows}>
        {unfinished.map((upload) => (
          <li key={upload.id}>
            <UnfinishedRow upload={upload} onDiscard={discard} caseLink={caseLinkOf(upload.case_number)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
