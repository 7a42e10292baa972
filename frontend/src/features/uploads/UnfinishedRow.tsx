import { type ReactNode, useRef, useState } from 'react'
import { resumeUpload, type UploadRead } from '../../api'
import { format } from '../../profile'
import { Button, RelativeTime, Tag } from '../../ui'
import styles from './uploads.module.css'
import { mismatch, nameOfUpload } from './labels'

type Props = { upload: UploadRead; onDiscard: (upload: UploadRead, name: string) => void; caseLink?: ReactNode }

/** An unfinished upload that this tab is not sending; choosing the same file resumes it. */
export function UnfinishedRow({ upload, onDiscard, caseLink }: Props) {
  const name = nameOfUpload(upload)
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState('')
  const choose = (file: File | undefined) => {
    if (!file) return
    const reason = mismatch(file, upload)
    setError(reason)
    if (!reason) resumeUpload(upload, file)
  }
  return (
    <div className={styles.row} data-testid="unfinished-row" data-state={upload.state} data-path={name}>
      <div className={styles.line}>
        <Tag tone={upload.state === 'failed' ? 'match' : 'plain'}>{STATE_LABELS[upload.state]}</Tag>
        <span className={styles.name}>{name}</span>
        {caseLink}
        <progress className={styles.bar} value={upload.offset_bytes} max={upload.size_bytes || 1} aria-label={`Uploaded of ${name}`} />
        <span className={styles.soft}>
          {format.bytes(upload.offset_bytes)} of {format.bytes(upload.size_bytes)} uploaded
        </span>
        {upload.state === 'sending' && (
          <span className={styles.actions}>
            <Button aria-label={`Resume ${name}`} onClick={() => input.current?.click()}>
              Resume
            </Button>
            <Button look="quiet" aria-label={`Discard ${name}`} onClick={() => onDiscard(upload, name)}>
              Discard
            </Button>
          </span>
        )}
      </div>
      {upload.state === 'sending' && (
        <p className={styles.message}>
          Last data received <RelativeTime at={upload.updated_at} />. To resume, choose or drop the same file: only the missing bytes are sent. Expires {new Date(upload.expires_at).toLocaleString()}.
        </p>
      )}
      {upload.state === 'failed' && <p className={styles.message}>The upload is complete but could not be stored (internal error). Add the file again.</p>}
      {error && (
        <p className={styles.message} data-tone="match" role="alert">
          Different file. {error}
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        data-testid="resume-input"
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}

const STATE_LABELS: Record<UploadRead['state'], string> = { sending: 'unfinished', sent: 'queued', kept: 'received', failed: 'failed' }
