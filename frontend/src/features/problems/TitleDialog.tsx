import { useState } from 'react'
import { Button, Dialog, DialogActions, Notice } from '../../ui'
import styles from './problems.module.css'

type Props = { title: string; explanation: string; action: string; proposal: string; error: Error | null; isSaving: boolean; onSave: (title: string) => void; onClose: () => void }

/** Asks for the title of a problem that a merge or a split makes. */
export function TitleDialog({ title, explanation, action, proposal, error, isSaving, onSave, onClose }: Props) {
  const [text, setText] = useState(proposal)
  return (
    <Dialog title={title} testId="problem-dialog" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(submitted) => {
          submitted.preventDefault()
          onSave(text)
        }}
      >
        <p>{explanation}</p>
        <label>
          Title
          <input value={text} required maxLength={200} onChange={(changed) => setText(changed.target.value)} />
        </label>
        {error && <Notice what="The problem was not changed.">{error.message}</Notice>}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSaving || text.trim() === ''}>
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
