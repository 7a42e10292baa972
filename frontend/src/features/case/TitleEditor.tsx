import { useState } from 'react'
import { Button } from '../../ui'
import styles from './case.module.css'

type Props = { title: string; isSaving: boolean; onSave: (title: string) => void }

/** The title; a click makes it a field, Escape leaves it as it was. */
export function TitleEditor({ title, isSaving, onSave }: Props) {
  const [draft, setDraft] = useState<string | null>(null)
  if (draft === null) {
    return (
      <h1 className={styles.title}>
        <button type="button" className={styles.titleButton} title="Change the title" disabled={isSaving} onClick={() => setDraft(title)}>
          {title}
        </button>
      </h1>
    )
  }
  return (
    <form
      className={styles.titleForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (draft.trim() && draft.trim() !== title) onSave(draft.trim())
        setDraft(null)
      }}
    >
      <input
        aria-label="Title of the case"
        value={draft}
        maxLength={300}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setDraft(null)
        }}
      />
      <Button type="submit" look="primary">
        Save
      </Button>
    </form>
  )
}
