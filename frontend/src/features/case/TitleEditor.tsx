import { useState } from 'react'
import type { Case } from '../../api'
import { Button, focusOnMount } from '../../ui'
import styles from './case.module.css'

/** `base` is the version of the case that editing started from. */
type Props = { head: Case; isSaving: boolean; onSave: (base: Case, title: string) => void }

/** The title as an inline editor: click to edit, Escape to cancel. */
export function TitleEditor({ head, isSaving, onSave }: Props) {
  const [edit, setEdit] = useState<{ base: Case; draft: string } | null>(null)
  const title = head.title || 'Untitled'
  if (edit === null) {
    return (
      <h1 className={styles.title}>
        <button type="button" className={styles.titleButton} title="Change the title" disabled={isSaving} onClick={() => setEdit({ base: head, draft: title })}>
          {title}
        </button>
      </h1>
    )
  }
  const { base, draft } = edit
  return (
    <form
      className={styles.titleForm}
      onSubmit={(event) => {
        event.preventDefault()
        const next = draft.trim()
        if (next && next !== (base.title || 'Untitled')) onSave(base, next)
        setEdit(null)
      }}
    >
      <input
        aria-label="Title of the case"
        value={draft}
        maxLength={300}
        ref={focusOnMount}
        onChange={(event) => setEdit({ base, draft: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setEdit(null)
        }}
      />
      <Button type="submit" look="primary">
        Save
      </Button>
    </form>
  )
}
