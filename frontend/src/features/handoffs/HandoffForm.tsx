import { type FormEvent, useId, useState } from 'react'
import { type Evidence, useCreateHandoff } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './handoffs.module.css'
import { lines } from './labels'

type Props = { caseId: string; evidence: readonly Evidence[]; onCreated: () => void; onCancel?: () => void }

/** Form for a new handoff: recipient, question, evidence and notes to include. */
export function HandoffForm({ caseId, evidence, onCreated, onCancel }: Props) {
  const create = useCreateHandoff(caseId)
  const ids = { recipient: useId(), question: useId() }
  const [recipient, setRecipient] = useState('')
  const [question, setQuestion] = useState('')
  const [withNotes, setWithNotes] = useState(true)
  const [excluded, setExcluded] = useState<ReadonlySet<string>>(new Set())
  const texts = evidence.filter((one) => one.state === 'read' && (one.line_count ?? 0) > 0)
  const included = texts.filter((one) => !excluded.has(one.id))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { recipient, question, with_notes: withNotes, evidence_ids: included.map(({ id }) => id) }
    void create.mutateAsync(body).then(onCreated, () => undefined)
  }
  const include = (id: string, isIncluded: boolean) => {
    const next = new Set(excluded)
    if (isIncluded) next.delete(id)
    else next.add(id)
    setExcluded(next)
  }
  return (
    <form className={styles.form} onSubmit={submit} aria-label="New handoff">
      <h2>New handoff</h2>
      <p className={styles.soft}>Host names, user names, network addresses, keys and passwords are replaced in everything that is handed over. You review every change before anybody else has access.</p>
      <label htmlFor={ids.recipient}>Recipient</label>
      <input id={ids.recipient} value={recipient} maxLength={200} required placeholder="Kernel support" onChange={(event) => setRecipient(event.target.value)} />
      <label htmlFor={ids.question}>Question</label>
      <textarea id={ids.question} value={question} rows={3} maxLength={20_000} placeholder="What fixes this, and is 5.15.0-1050 enough?" onChange={(event) => setQuestion(event.target.value)} />
      <fieldset className={styles.choice}>
        <legend>Evidence</legend>
        {texts.length === 0 && <p className={styles.soft}>No text evidence. Only text can be redacted.</p>}
        <ul>
          {texts.map((one) => (
            <li key={one.id}>
              <label>
                <input type="checkbox" checked={!excluded.has(one.id)} onChange={(event) => include(one.id, event.target.checked)} /> {one.captured_path || one.filename}{' '}
                <span className={styles.soft}>{lines(one.line_count ?? 0)}</span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <label>
        <input type="checkbox" checked={withNotes} onChange={(event) => setWithNotes(event.target.checked)} /> Include the notes of the case, redacted
      </label>
      {create.error && <Notice what="The handoff was not created.">{create.error.message}</Notice>}
      <p className={styles.actions}>
        <Button type="submit" look="primary" disabled={create.isPending || included.length === 0}>
          Redact and review
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </p>
    </form>
  )
}
