import { lazy, Suspense, useId, useState } from 'react'
import { Button, Segments } from '../../ui'
import { loadDraft, storeDraft } from './draft'
import styles from './timeline.module.css'

const Markdown = lazy(() => import('../markdown').then((module) => ({ default: module.Markdown })))

type Props = {
  label: string
  /** The storage key of the draft. */
  draftKey: string
  saved: string
  /** A Markdown link to the current view, to insert into the text; undefined while the view is loading. */
  linkHere: string | undefined
  isSaving: boolean
  onSave: (text: string) => Promise<boolean>
  onCancel?: () => void
}

/** A Markdown editor with preview; the draft is stored in the browser on every change until it is saved. */
export function NoteEditor({ label, draftKey, saved, linkHere, isSaving, onSave, onCancel }: Props) {
  const id = useId()
  const [text, setText] = useState(() => loadDraft(draftKey) ?? saved)
  const [isPreview, setIsPreview] = useState(false)
  const [isStored, setIsStored] = useState(true)
  const type = (next: string) => {
    setText(next)
    setIsStored(storeDraft(draftKey, next, saved))
  }
  const canSave = text.trim() !== '' && text !== saved && !isSaving
  const save = async () => {
    if (!canSave || !(await onSave(text))) return
    storeDraft(draftKey, '', '')
    setText(onCancel ? text : '')
    setIsPreview(false)
  }
  const cancel = () => {
    storeDraft(draftKey, '', '')
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
          <Button disabled={linkHere === undefined} onClick={() => type(`${text}${text === '' || text.endsWith('\n') ? '' : ' '}${linkHere}`)} title="Insert a link to the current finding, frames and lines">
            Insert link to this view
          </Button>
          {onCancel && <Button onClick={cancel}>Cancel</Button>}
          {text !== saved && <span className={styles.soft}>{isStored ? 'Draft stored in this browser' : 'Drafts cannot be stored in this browser: save before you leave'}</span>}
        </div>
      )}
    </form>
  )
}
