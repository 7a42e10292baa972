import { useEffect, useId, useRef, useState } from 'react'
import type { Case, Finding, Resolution } from '../../api'
import { Button } from '../../ui'
import styles from './case.module.css'

type Props = { head: Case; findings: readonly Finding[]; isSaving: boolean; onClose: (resolution: Resolution) => void; onCancel: () => void }

/** What it was, and what cured it: the two things the next person wants to know. Both may stay open. */
export function CloseDialog({ head, findings, isSaving, onClose, onCancel }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const choices = findings.filter(({ verdict, is_near_miss }) => !is_near_miss && (verdict === 'match' || verdict === 'suspect'))
  const known = [...new Map(choices.map((finding) => [finding.signature, finding])).values()]
  const before = head.resolution
  const [chosen, setChosen] = useState<string | null>(before?.signature ?? null)
  // Findings may still be loading when somebody is in a hurry to close.
  const signature = chosen ?? known.find(({ verdict }) => verdict === 'match')?.signature ?? ''
  const [cause, setCause] = useState(before?.cause ?? '')
  const [fix, setFix] = useState(before?.fix ?? '')
  const fixes = known.find((finding) => finding.signature === signature)?.fixes ?? []
  return (
    <dialog ref={dialog} className={styles.dialog} aria-labelledby={`${id}-title`} onClose={onCancel}>
      <form
        className={styles.dialogForm}
        onSubmit={(event) => {
          event.preventDefault()
          onClose({ signature, cause: cause.trim(), fix: fix.trim() })
        }}
      >
        <h2 id={`${id}-title`}>Close case {head.number}</h2>
        <label>
          What was it?
          <select value={signature} onChange={(event) => setChosen(event.target.value)}>
            {known.map((finding) => (
              <option key={finding.signature} value={finding.signature}>
                {finding.title}
              </option>
            ))}
            {before?.signature && !known.some((finding) => finding.signature === before.signature) && <option value={before.signature}>{before.signature}</option>}
            <option value="">{known.length > 0 ? 'none of these' : 'nothing in the library'}</option>
          </select>
        </label>
        <label>
          In your words
          <textarea rows={2} value={cause} maxLength={2000} placeholder="The nightly backup filled the page cache of the group." onChange={(event) => setCause(event.target.value)} />
        </label>
        <label>
          Which fix?
          <input list={`${id}-fixes`} value={fix} maxLength={2000} placeholder="none yet" onChange={(event) => setFix(event.target.value)} />
        </label>
        <datalist id={`${id}-fixes`}>
          {fixes.map(({ title }) => (
            <option key={title} value={title}>
              {title}
            </option>
          ))}
        </datalist>
        {fixes.length > 0 && fix === '' && (
          <ul className={styles.fixChoices} aria-label="Fixes of this signature">
            {fixes.map(({ title }) => (
              <li key={title}>
                <Button onClick={() => setFix(title)}>{title}</Button>
              </li>
            ))}
          </ul>
        )}
        <div className={styles.dialogActions}>
          <Button onClick={onCancel}>Keep it open</Button>
          <Button type="submit" look="primary" disabled={isSaving}>
            Close the case
          </Button>
        </div>
      </form>
    </dialog>
  )
}
