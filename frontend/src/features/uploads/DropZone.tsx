import { type ReactNode, useId, useRef, useState } from 'react'
import { type Dropped, type Received, useLimits, usePaste, useSendFiles } from '../../api'
import { format } from '../../profile'
import { Button, Notice } from '../../ui'
import { filesOfList } from './dropped'
import styles from './uploads.module.css'
import { useDropAnywhere } from './useDropAnywhere'

type Props = {
  caseId?: string
  caseNumber?: number
  isCompact?: boolean
  /** Files have a case now, and are being sent to it. */
  onCase?: (caseNumber: number) => void
  onPasted: (received: Received) => void
  children?: ReactNode
}

const PICTURE = 'A picture of text cannot be read here. Copy the text itself from the terminal and paste that, or drop the output as a file.'

/** Evidence comes in here: dropped anywhere on the page, browsed for, or pasted. */
export function DropZone({ caseId, caseNumber, isCompact = false, onCase, onPasted, children }: Props) {
  const limits = useLimits()
  const files = useSendFiles(caseId, caseNumber ?? null)
  const paste = usePaste(caseId)
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [isPasting, setIsPasting] = useState(false)
  const [isPicture, setIsPicture] = useState(false)
  const begin = () => {
    setIsPicture(false)
    files.reset()
    paste.reset()
  }
  const sendText = (text: string) => {
    begin()
    paste.mutate(text, {
      onSuccess: (received) => {
        setIsPasting(false)
        onPasted(received)
      },
    })
  }
  const sendFiles = (dropped: Dropped[]) => {
    begin()
    files.mutate(dropped, { onSuccess: (number) => onCase?.(number) })
  }
  const refusePicture = () => {
    begin()
    setIsPicture(true)
  }
  const isOver = useDropAnywhere({ onFiles: sendFiles, onText: sendText, onPicture: refusePicture })
  const error = files.error ?? paste.error
  return (
    <section className={styles.zone} data-over={isOver || undefined} data-drop-message={isCompact && isOver ? 'Let go to add it to this case' : undefined} data-compact={isCompact || undefined} aria-label="Add evidence" data-testid="drop-zone">
      {!isCompact && <h1 className={styles.zoneTitle}>{isOver ? 'Let go to add it' : 'Drop your evidence'}</h1>}
      {children}
      <div className={styles.zoneActions}>
        <Button look={isCompact ? 'plain' : 'primary'} onClick={() => fileInput.current?.click()}>
          {isCompact ? 'Add files' : 'Browse files'}
        </Button>
        {!isCompact && <Button onClick={() => folderInput.current?.click()}>Browse a folder</Button>}
        <Button onClick={() => setIsPasting(!isPasting)} aria-expanded={isPasting}>
          Paste text
        </Button>
        <span className={styles.soft}>
          {isCompact ? 'or drop, or Ctrl V' : 'or press Ctrl V anywhere'}
          {limits.data && !isCompact && (
            <>
              {' '}
              · up to {format.bytes(limits.data.max_evidence_bytes)} a file, {format.bytes(limits.data.max_paste_bytes)} a paste, archives of {format.count(limits.data.archive_members)} members · {format.bytes(limits.data.left_bytes)} free · a line that breaks costs nothing: what came is kept
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
            if (event.target.files?.length) sendFiles(filesOfList(event.target.files))
            event.target.value = ''
          }}
        />
        <input
          ref={folderInput}
          type="file"
          // React's types do not know it: https://html.spec.whatwg.org has no name for it, every browser does.
          {...{ webkitdirectory: '' }}
          hidden
          data-testid="folder-input"
          onChange={(event) => {
            if (event.target.files?.length) sendFiles(filesOfList(event.target.files))
            event.target.value = ''
          }}
        />
      </div>
      {isPasting && <PasteBox isPending={paste.isPending} onSend={sendText} />}
      {isPicture && <Notice what="A picture was pasted.">{PICTURE}</Notice>}
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
