import { type ReactNode, useId, useRef, useState } from 'react'
import { type Dropped, type Received, useLimits, usePaste, useSendFiles } from '../../api'
import { format } from '../../profile'
import { Button, focusOnMount, Notice } from '../../ui'
import { filesOfList } from './droppedFiles'
import styles from './uploads.module.css'
import { useDropAnywhere } from './useDropAnywhere'

type Props = {
  caseId?: string
  caseNumber?: number
  isCompact?: boolean
  /** Called with the case that the files are uploaded to. */
  onCase?: (caseNumber: number) => void
  onPasted: (received: Received) => void
  children?: ReactNode
}

const IMAGE_ADVICE = 'Text in an image cannot be read. Copy the text from the terminal and paste it, or drop the output as a file.'

/** Adds evidence: files dropped anywhere on the page, chosen files or folders, or pasted text. */
export function DropZone({ caseId, caseNumber, isCompact = false, onCase, onPasted, children }: Props) {
  const limits = useLimits()
  const files = useSendFiles(caseId, caseNumber ?? null)
  const paste = usePaste(caseId)
  const fileInput = useRef<HTMLInputElement>(null)
  const folderInput = useRef<HTMLInputElement>(null)
  const [isPasting, setIsPasting] = useState(false)
  const [isImage, setIsImage] = useState(false)
  const reset = () => {
    setIsImage(false)
    files.reset()
    paste.reset()
  }
  const sendText = (text: string) => {
    reset()
    paste.mutate(text, {
      onSuccess: (received) => {
        setIsPasting(false)
        onPasted(received)
      },
    })
  }
  const sendFiles = (dropped: Dropped[]) => {
    reset()
    files.mutate(dropped, { onSuccess: (number) => onCase?.(number) })
  }
  const rejectImage = () => {
    reset()
    setIsImage(true)
  }
  const isOver = useDropAnywhere({ onFiles: sendFiles, onText: sendText, onImage: rejectImage })
  const error = files.error ?? paste.error
  return (
    <section className={styles.zone} data-over={isOver || undefined} data-drop-message={isCompact && isOver ? 'Drop to add to this case' : undefined} data-compact={isCompact || undefined} aria-label="Add evidence" data-testid="drop-zone">
      {!isCompact && <h1 className={styles.zoneTitle}>{isOver ? 'Drop to create a case' : 'Drop evidence'}</h1>}
      {children}
      <div className={styles.zoneActions}>
        <Button look={isCompact ? 'plain' : 'primary'} onClick={() => fileInput.current?.click()}>
          {isCompact ? 'Add files' : 'Browse files'}
        </Button>
        {!isCompact && <Button onClick={() => folderInput.current?.click()}>Browse folder</Button>}
        <Button onClick={() => setIsPasting(!isPasting)} aria-expanded={isPasting}>
          Paste text
        </Button>
        <span className={styles.soft} data-limits={!isCompact || undefined}>
          {isCompact ? 'or drop files, or press Ctrl V' : 'or press Ctrl V anywhere'}
          {limits.data && !isCompact && (
            <>
              {' '}
              · up to {format.bytes(limits.data.max_evidence_bytes)} per file, {format.bytes(limits.data.max_paste_bytes)} per paste, {format.count(limits.data.archive_members)} members per archive · {format.bytes(limits.data.left_bytes)} free · uploads resume after a dropped connection
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
          // Not in React's types and not in the HTML standard, but supported by every browser.
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
      {isImage && <Notice what="Images are not supported.">{IMAGE_ADVICE}</Notice>}
      {error && (
        <Notice what="The evidence was not added.">
          {error.message} Existing evidence is not affected.
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
        Terminal output: perf top, dmesg, cat of a /proc file; several commands at once
      </label>
      <textarea id={id} rows={9} value={text} spellCheck={false} ref={focusOnMount} placeholder="$ cat /proc/vmstat" onChange={(event) => setText(event.target.value)} />
      <div>
        <Button type="submit" look="primary" disabled={text.trim() === '' || isPending}>
          {isPending ? 'Sending…' : 'Add evidence'}
        </Button>
      </div>
    </form>
  )
}
