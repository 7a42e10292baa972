import { useId, useState } from 'react'
import type { Case, Finding, Resolution } from '../../api'
import { Button, Dialog, DialogActions } from '../../ui'
import styles from './case.module.css'

type Props = { head: Case; findings: readonly Finding[]; isSaving: boolean; onClose: (resolution: Resolution) => void; onCancel: () => void }

/** Closes a case with its resolution: signature, cause and fix, each optional. */
export function CloseDialog({ head, findings, isSaving, onClose, onCancel }: Props) {
  const id = useId()
  const choices = findings.filter(({ verdict, is_near_miss }) => !is_near_miss && (verdict === 'match' || verdict === 'suspect'))
  const candidates = [...new Map(choices.map((finding) => [finding.signature, finding])).values()]
  const previous = head.resolution
  const [chosen, setChosen] = useState<string | null>(previous?.signature ?? null)
  // The findings may still be loading when the dialog opens.
  const signature = chosen ?? candidates.find(({ verdict }) => verdict === 'match')?.signature ?? ''
  const [cause, setCause] = useState(previous?.cause ?? '')
  const [fix, setFix] = useState(previous?.fix ?? '')
  const fixes = candidates.find((finding) => finding.signature === signature)?.fixes ?? []
  return (
    <Dialog title={`Close case ${head.number}`} onClose={onCancel}>
      <form
        className={styles.closeForm}
        onSubmit={(event) => {
          event.preventDefault()
          onClose({ signature, cause: cause.trim(), fix: fix.trim() })
        }}
      >
        <label>
          Signature
          <select value={signature} onChange={(event) => setChosen(event.target.value)}>
            {candidates.map((finding) => (
              <option key={finding.signature} value={finding.signature}>
                {finding.title}
              </option>
            ))}
            {previous?.signature && !candidates.some((finding) => finding.signature === previous.signature) && <option value={previous.signature}>{previous.signature}</option>}
            <option value="">{candidates.length > 0 ? 'none of these' : 'no signature'}</option>
          </select>
        </label>
        <label>
          Cause
          <textarea rows={2} value={cause} maxLength={2000} placeholder="The nightly backup filled the page cache of the group." onChange={(event) => setCause(event.target.value)} />
        </label>
        <label>
          Fix
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
          <ul className={styles.fixChoices} aria-label="Suggested fixes">
            {fixes.map(({ title }) => (
              <li key={title}>
                <Button onClick={() => setFix(title)}>{title}</Button>
              </li>
            ))}
          </ul>
        )}
        <DialogActions>
          <Button onClick={onCancel}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSaving}>
            Close case
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
