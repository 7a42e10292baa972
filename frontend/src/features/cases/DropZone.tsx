import { type ReactNode, useId, useRef, useState } from 'react'
import { type Received, useAddFiles, useLimits, usePaste } from '../../api'
import { format } from '../../profile'
import { Button, Notice } from '../../ui'
import styles from './cases.module.css'
import { filesOfList } from './dropped'
import { useDropAnywhere } from './useDropAnywhere'

type Props = { caseId?: string; isCompact?: boolean; onReceived: (received: Received) => void; children?: ReactNode }

/** Evidence comes in here: dropped anywhere on the page, browsed for, or pasted. */
export function DropZone({ caseId, isCompact = false, onReceived, children }: Props) {
  const limits = useLimits()
  const files = useAddFiles(caseId, limits.data?.max_files_per_request)
  const paste = usePaste(caseId)
  const fileInput = useRef<HTMLInputElement>(null)
  const [isPasting, setIsPasting] = useState(false)
  const sendText = (text: string) =>
    paste.mutate(text, {
      onSuccess: (received) => {
        setIsPasting(false)
        onReceived(received)
      },
    })
  const isOver = useDropAnywhere({ onFiles: (dropped) => files.mutate(dropped, { onSuccess: onReceived }), onText: sendText })
  const error = files.error ?? paste.error
  const { progress } = files
  return (
    <section className={styles.zone} data-over={isOver || undefined} data-compact={isCompact || undefined} aria-label="Add evidence" data-testid="drop-zone">
      {!isCompact && <h1 className={styles.zoneTitle}>{isOver ? 'Let go to add it' : 'Drop your evidence'}</h1>}
      {children}
      <div className={styles.zoneActions}>
        <Button look={isCompact ? 'plain' : 'primary'} onClick={() => fileInput.current?.click()}>
          {isCompact ? 'Add files' : 'Browse files'}
        </Button>
        <Button onClick={() => setIsPasting(!isPasting)} aria-expanded={isPasting}>
          Paste text
        </Button>
        <span className={styles.soft}>
          {isCompact ? 'or drop, or Ctrl V' : 'or press Ctrl V anywhere'}
          {limits.data && !isCompact && (
            <>
              {' '}
              · up to {format.bytes(limits.data.max_evidence_bytes)} a file, {format.bytes(limits.data.max_paste_bytes)} a paste, archives of {format.count(limits.data.archive_members)} members
            </>
          )}
        </span>
        <input
          ref={fileInput}
          type="file"
          multiple
          hidden
          data-testid="file-input"
          onChange={(event) => {
            if (event.target.files?.length) files.mutate(filesOfList(event.target.files), { onSuccess: onReceived })
            event.target.value = ''
          }}
        />
      </div>
      {isPasting && <PasteBox isPending={paste.isPending} onSend={sendText} />}
      {progress && (
        <p className={styles.sending} role="status">
          <progress value={progress.sentBytes} max={progress.totalBytes || 1} aria-label="Sending" />
          {progress.sentBytes < progress.totalBytes
            ? `Sending ${progress.fileCount === 1 ? 'one file' : `${progress.fileCount} files`}: ${format.bytes(progress.sentBytes)} of ${format.bytes(progress.totalBytes)}`
            : 'Sent; storing'}
        </p>
      )}
      {error && (
        <Notice what="That was not taken.">
          {error.message} Nothing that was here before has changed.
        </Notice>
      )}
    </section>
  )
}

function PasteBox({ isPending, onSend }: { isPending: boolean; onSend: (text: string) => void }) {
  const id = useId()
  const [text, setText] = useState('')
  return (
    <form
      className={styles.paste}
      onSubmit={(event) => {
        event.preventDefault()
        onSend(text)
      }}
    >
      <label htmlFor={id} className={styles.soft}>
        Straight from the terminal: perf top, dmesg, cat of a /proc file, several at once
      </label>
      <textarea id={id} rows={9} value={text} spellCheck={false} autoFocus placeholder="$ cat /proc/vmstat" onChange={(event) => setText(event.target.value)} />
      <div>
        <Button type="submit" look="primary" disabled={text.trim() === '' || isPending}>
          {isPending ? 'Sending…' : 'Add as evidence'}
        </Button>
      </div>
    </form>
  )
}
