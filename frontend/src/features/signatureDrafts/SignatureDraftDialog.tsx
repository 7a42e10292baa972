import { useState } from 'react'
import { type Case, type SignatureDraftCreate, useDraftSignature, useSignatureDrafts } from '../../api'
import { Button, Dialog, DialogActions, Notice } from '../../ui'
import { DraftReport } from './DraftReport'
import { proposedId } from './proposedId'
import styles from './signatureDrafts.module.css'

type Props = { caseId: string; head: Case; onClose: () => void }

const NAME = '[a-z0-9]+(-[a-z0-9]+)*/[a-z0-9]+(-[a-z0-9]+)*'

/** Drafts a signature folder from a closed case: name, progress, then report and download. */
export function SignatureDraftDialog({ caseId, head, onClose }: Props) {
  const drafts = useSignatureDrafts(caseId)
  const create = useDraftSignature(caseId)
  const [isAnother, setAnother] = useState(false)
  const [name, setName] = useState(() => proposedId(head.title, head.resolution?.signature ?? ''))
  const latest = drafts.data?.[0]
  const request = (body: SignatureDraftCreate) => create.mutate(body, { onSuccess: () => setAnother(false) })
  const isForm = drafts.data !== undefined && (!latest || latest.state === 'failed' || isAnother)
  return (
    <Dialog title="Draft signature" isWide testId="signature-draft" onClose={onClose}>
      {drafts.error && <Notice what="The drafts of this case were not loaded.">{drafts.error.message}</Notice>}
      {create.error && <Notice what="No draft was requested.">{create.error.message}</Notice>}
      {latest?.state === 'failed' && <Notice what={`${latest.signature_id} could not be drafted.`}>{latest.reason}</Notice>}
      {isForm && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            request({ signature_id: name, title: '', replacements: latest?.replacements ?? [] })
          }}
        >
          <p>
            Makes a folder for the library: the evidence of this case, redacted, as a test; conditions drafted from it; look-alikes of the library; cause and fix of this case in
            the story.
          </p>
          <label>
            Name
            <input value={name} maxLength={100} required pattern={NAME} title="area/name in lower case, such as mm/my-stall" onChange={(event) => setName(event.target.value)} />
          </label>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" look="primary" disabled={create.isPending}>
              Draft
            </Button>
          </DialogActions>
        </form>
      )}
      {latest?.state === 'drafting' && (
        <p role="status">
          {latest.signature_id}: {latest.stage}{' '}
          <progress aria-label={latest.stage} {...(latest.progress_share > 0 && { value: latest.progress_share })} />
        </p>
      )}
      {latest?.state === 'ready' && latest.report && !isForm && (
        <>
          <DraftReport
            draft={latest}
            report={latest.report}
            onReplace={(tokens) => request({ signature_id: latest.signature_id, title: '', replacements: [...latest.replacements, ...tokens] })}
          />
          <DialogActions>
            <Button onClick={() => setAnother(true)}>Draft again</Button>
            <a className={styles.download} data-primary href={`/api/v1/cases/${caseId}/signature-drafts/${latest.id}/folder.zip`} download>
              Download folder
            </a>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}
