import { type FormEvent, useId, useState } from 'react'
import { type Evidence, useBeginHandoff } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './handoffs.module.css'
import { lines } from './words'

type Props = { caseId: string; evidence: readonly Evidence[]; onBegun: () => void; onCancel?: () => void }

/** To whom, what is asked, and which evidence goes along. */
export function BeginForm({ caseId, evidence, onBegun, onCancel }: Props) {
  const begin = useBeginHandoff(caseId)
  const ids = { recipient: useId(), question: useId() }
  const [recipient, setRecipient] = useState('')
  const [question, setQuestion] = useState('')
  const [withNotes, setWithNotes] = useState(true)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const texts = evidence.filter((one) => one.state === 'read' && (one.line_count ?? 0) > 0)
  const chosen = texts.filter((one) => !left.has(one.id))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const asked = { recipient, question, with_notes: withNotes, evidence_ids: chosen.map(({ id }) => id) }
    void begin.mutateAsync(asked).then(onBegun, () => undefined)
  }
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(left)
    if (isChosen) next.delete(id)
    else next.add(id)
    setLeft(next)
  }
  return (
    <form className={styles.form} onSubmit={submit} aria-label="Hand this case over">
      <h2>Hand this case over</h2>
      <p className={styles.soft}>Names of hosts, people and networks, keys and passwords are replaced in everything that leaves. You see every change before anybody else sees anything.</p>
      <label htmlFor={ids.recipient}>To whom</label>
      <input id={ids.recipient} value={recipient} maxLength={200} required placeholder="Kernel support" onChange={(event) => setRecipient(event.target.value)} />
      <label htmlFor={ids.question}>What you want of them</label>
      <textarea id={ids.question} value={question} rows={3} maxLength={20_000} placeholder="What would cure this, and is 5.15.0-1050 enough?" onChange={(event) => setQuestion(event.target.value)} />
      <fieldset className={styles.choice}>
        <legend>Evidence</legend>
        {texts.length === 0 && <p className={styles.soft}>Nothing that was read so far is text; only text can be redacted.</p>}
        <ul>
          {texts.map((one) => (
            <li key={one.id}>
              <label>
                <input type="checkbox" checked={!left.has(one.id)} onChange={(event) => choose(one.id, event.target.checked)} /> {one.captured_path || one.filename}{' '}
                <span className={styles.soft}>{lines(one.line_count ?? 0)}</span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <label>
        <input type="checkbox" checked={withNotes} onChange={(event) => setWithNotes(event.target.checked)} /> The notes of the case go along, redacted
      </label>
      {begin.error && <Notice what="The handoff was not begun.">{begin.error.message}</Notice>}
      <p className={styles.actions}>
        <Button type="submit" look="primary" disabled={begin.isPending || chosen.length === 0}>
          Redact and show me
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </p>
    </form>
  )
}
