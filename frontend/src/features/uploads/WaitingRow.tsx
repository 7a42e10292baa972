import { type ReactNode, useRef, useState } from 'react'
import { resumeUpload, type UploadRead } from '../../api'
import { format } from '../../profile'
import { Button, RelativeTime, Tag } from '../../ui'
import styles from './uploads.module.css'
import { mismatch, nameOfUpload } from './words'

type Props = { upload: UploadRead; onDiscard: (upload: UploadRead, name: string) => void; place?: ReactNode }

/** A file that came in part and whose sender is not this tab: it waits for the same file, or for another tab. */
export function WaitingRow({ upload, onDiscard, place }: Props) {
  const name = nameOfUpload(upload)
  const input = useRef<HTMLInputElement>(null)
  const [refused, setRefused] = useState('')
  const choose = (file: File | undefined) => {
    if (!file) return
    const fault = mismatch(file, upload)
    setRefused(fault)
    if (!fault) resumeUpload(upload, file)
  }
  return (
    <div className={styles.row} data-testid="waiting-row" data-state={upload.state} data-path={name}>
      <div className={styles.line}>
        <Tag tone={upload.state === 'failed' ? 'match' : 'plain'}>{WORDS[upload.state]}</Tag>
        <span className={styles.name}>{name}</span>
        {place}
        <progress className={styles.bar} value={upload.offset_bytes} max={upload.size_bytes || 1} aria-label={`Received of ${name}`} />
        <span className={styles.soft}>
          {format.bytes(upload.offset_bytes)} of {format.bytes(upload.size_bytes)} are here
        </span>
        {upload.state === 'sending' && (
          <span className={styles.actions}>
            <Button aria-label={`Choose ${name} again`} onClick={() => input.current?.click()}>
              Choose the file again
            </Button>
            <Button look="quiet" aria-label={`Discard ${name}`} onClick={() => onDiscard(upload, name)}>
              Discard
            </Button>
          </span>
        )}
      </div>
      {upload.state === 'sending' && (
        <p className={styles.why}>
          The last bytes came <RelativeTime at={upload.updated_at} />. When no other tab or machine sends it, choose or drop the same file: only the rest is sent. It is kept until{' '}
          {new Date(upload.expires_at).toLocaleString()}.
        </p>
      )}
      {upload.state === 'failed' && <p className={styles.why}>All of it arrived and could not be stored by a fault of ours. Send it again.</p>}
      {refused && (
        <p className={styles.why} data-tone="match" role="alert">
          That is another file. {refused}
        </p>
      )}
      <input
        ref={input}
        type="file"
        hidden
        data-testid="rest-input"
        onChange={(event) => {
          choose(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </div>
  )
}

const WORDS: Record<UploadRead['state'], string> = { sending: 'unfinished', sent: 'queued', kept: 'received', failed: 'failed' }
