import { useState } from 'react'
import type { Case } from '../../api'
import { Button } from '../../ui'
import styles from './case.module.css'

/** `base` is the case as it was when somebody began to write: it may be another one by the time they save. */
type Props = { head: Case; isSaving: boolean; onSave: (base: Case, title: string) => void }

/** The title; a click makes it a field, Escape leaves it as it was. */
export function TitleEditor({ head, isSaving, onSave }: Props) {
  const [begun, setBegun] = useState<{ base: Case; draft: string } | null>(null)
  const title = head.title || 'Untitled'
  if (begun === null) {
    return (
      <h1 className={styles.title}>
        <button type="button" className={styles.titleButton} title="Change the title" disabled={isSaving} onClick={() => setBegun({ base: head, draft: title })}>
          {title}
        </button>
      </h1>
    )
  }
  const { base, draft } = begun
  return (
    <form
      className={styles.titleForm}
      onSubmit={(event) => {
        event.preventDefault()
        const mine = draft.trim()
        if (mine && mine !== (base.title || 'Untitled')) onSave(base, mine)
        setBegun(null)
      }}
    >
      <input
        aria-label="Title of the case"
        value={draft}
        maxLength={300}
        autoFocus
        onChange={(event) => setBegun({ base, draft: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setBegun(null)
        }}
      />
      <Button type="submit" look="primary">
        Save
      </Button>
    </form>
  )
}
