import { useState } from 'react'
import type { Case } from '../../api'
import { Button, focusOnMount, Unbroken } from '../../ui'
import type { Diagnosis } from '../overview'
import styles from './case.module.css'

/** `base` is the version of the case that editing started from; `diagnosis` is shown instead of the title. */
type Props = { head: Case; diagnosis?: Diagnosis | undefined; isSaving: boolean; onSave: (base: Case, title: string) => void }

/** The title as an inline editor: click to edit, Escape to cancel. */
export function TitleEditor({ head, diagnosis, isSaving, onSave }: Props) {
  const [edit, setEdit] = useState<{ base: Case; draft: string } | null>(null)
  const title = head.title || 'Untitled'
  if (edit === null) {
    return (
      <h1 className={styles.title} data-kind={diagnosis?.kind}>
        <button type="button" className={styles.titleButton} title="Change the title" disabled={isSaving} onClick={() => setEdit({ base: head, draft: title })}>
          {diagnosis ? <Unbroken text={diagnosis.text} /> : title}
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
