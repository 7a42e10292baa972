import { lazy, Suspense, useId, useState } from 'react'
import { Button, Segments } from '../../ui'
import { keepDraft, loadDraft } from './draft'
import styles from './timeline.module.css'

const Markdown = lazy(() => import('../markdown').then((room) => ({ default: room.Markdown })))

type Props = {
  label: string
  /** Where the draft is kept in this browser. */
  draft: string
  saved: string
  /** A Markdown link to what the page shows, to be put into the text. */
  linkHere: string
  isSaving: boolean
  onSave: (text: string) => Promise<boolean>
  onCancel?: () => void
}

/** Write Markdown, look at it, save it. Every key is kept in the browser until it is saved. */
export function NoteEditor({ label, draft, saved, linkHere, isSaving, onSave, onCancel }: Props) {
  const id = useId()
  const [text, setText] = useState(() => loadDraft(draft) ?? saved)
  const [isPreview, setIsPreview] = useState(false)
  const [isKept, setIsKept] = useState(true)
  const type = (next: string) => {
    setText(next)
    setIsKept(keepDraft(draft, next, saved))
  }
  const canSave = text.trim() !== '' && text !== saved && !isSaving
  const save = async () => {
    if (!canSave || !(await onSave(text))) return
    keepDraft(draft, '', '')
    setText(onCancel ? text : '')
    setIsPreview(false)
  }
  const leave = () => {
    keepDraft(draft, '', '')
    onCancel?.()
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <div className={styles.editorHead}>
        <label htmlFor={id}>{label}</label>
        {text !== '' && (
          <Segments
            label="Write or preview"
            value={isPreview ? 'preview' : 'write'}
            options={[
              { value: 'write', label: 'Write' },
              { value: 'preview', label: 'Preview' },
            ]}
            onChange={(next) => setIsPreview(next === 'preview')}
          />
        )}
      </div>
      {isPreview ? (
        <div className={styles.preview} data-testid="note-preview">
          <Suspense fallback={<p role="status">Loading the preview…</p>}>
            <Markdown text={text} isSmall />
          </Suspense>
        </div>
      ) : (
        <textarea
          id={id}
          rows={text === '' ? 2 : 6}
          value={text}
          maxLength={50_000}
          placeholder="What you saw, tried or decided. Markdown; Ctrl Enter saves."
          onChange={(event) => type(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault()
              void save()
            }
          }}
        />
      )}
      {(text !== '' || onCancel) && (
        <div className={styles.actions}>
          <Button type="submit" look="primary" disabled={!canSave}>
            {isSaving ? 'Saving…' : 'Save note'}
          </Button>
          <Button onClick={() => type(`${text}${text === '' || text.endsWith('\n') ? '' : ' '}${linkHere}`)} title="A link to the finding, frames and lines that the page shows">
            Link to this view
          </Button>
          {onCancel && <Button onClick={leave}>Cancel</Button>}
          {text !== saved && <span className={styles.soft}>{isKept ? 'Draft kept in this browser' : 'This browser keeps no drafts: save before you leave'}</span>}
        </div>
      )}
    </form>
  )
}
