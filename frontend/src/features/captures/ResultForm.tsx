import { type FormEvent, useId, useRef, useState } from 'react'
import type { CaptureResult } from '../../api'
import { format } from '../../profile'
import { Button } from '../../ui'
import styles from './captures.module.css'
import { localMinute, utcOf } from './times'

type Props = {
  name: string
  /** Whether the form has a field for the time of the run. */
  isNew: boolean
  isSending: boolean
  onSend: (result: CaptureResult, ranAt: string | null) => void
  onCancel: () => void
}

/** The time of a capture run and its output: pasted, dropped or chosen as files. */
export function ResultForm({ name, isNew, isSending, onSend, onCancel }: Props) {
  const id = useId()
  const [at, setAt] = useState(() => localMinute(new Date()))
  const [text, setText] = useState('')
  const [files, setFiles] = useState<File[]>([])
  const [isOver, setIsOver] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const addFiles = (list: FileList | null) => setFiles((chosen) => [...chosen, ...(list ?? [])])
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSend({ text, files }, utcOf(at, new Date()))
  }
  const hasResult = text.trim() !== '' || files.length > 0
  return (
    <form
      className={styles.form}
      data-over={isOver || undefined}
      aria-label={`Result of: ${name}`}
      onSubmit={send}
    >
      {isNew && (
        <label htmlFor={`${id}-at`}>
          Run at (local time)
          <input id={`${id}-at`} type="datetime-local" value={at} onChange={(event) => setAt(event.target.value)} />
        </label>
      )}
      <label htmlFor={`${id}-text`}>
        Output (optional)
        <textarea
          id={`${id}-text`}
          rows={3}
          value={text}
          spellCheck={false}
          placeholder="Paste the output, or drop a file here"
          onChange={(event) => setText(event.target.value)}
          onDragOver={(event) => {
            event.preventDefault()
            event.stopPropagation()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            event.stopPropagation()
            setIsOver(false)
            addFiles(event.dataTransfer.files)
          }}
        />
      </label>
      {files.length > 0 && <p className={styles.soft}>{files.map((file) => `${file.name}, ${format.bytes(file.size)}`).join('; ')}</p>}
      <input ref={input} type="file" multiple hidden aria-label={`Files of: ${name}`} onChange={(event) => addFiles(event.target.files)} />
      <div className={styles.actions}>
        <Button type="submit" look="primary" disabled={isSending || (!isNew && !hasResult)}>
          {isSending ? 'Sending…' : hasResult ? 'Add result' : 'Record run'}
        </Button>
        <Button onClick={() => input.current?.click()}>Choose files</Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}
