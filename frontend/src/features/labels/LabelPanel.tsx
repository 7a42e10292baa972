import { useId, useState } from 'react'
import { type Finding, type Label, type LabelWrite, type Opinion, useDeleteLabel, useLabels, useSetLabel } from '../../api'
import { Button, Notice, RelativeTime, Segments, useToast } from '../../ui'
import styles from './labels.module.css'
import { labelsOf, OPINIONS, staleNote } from './labels'

type Props = { caseId: string; finding: Finding }

/** Label a finding as right, wrong or unsure, with an optional reason. Labels do not change the verdict. */
export function LabelPanel({ caseId, finding }: Props) {
  const labels = useLabels(caseId)
  const setLabel = useSetLabel(caseId)
  const deleteLabel = useDeleteLabel(caseId)
  const toast = useToast()
  const current = labelsOf(finding, labels.data ?? [])
  const mine = current.find(({ is_mine }) => is_mine)
  const target = { signature: finding.signature, host: finding.host, phase: finding.phase }
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })

  const undo = (previous: Label | undefined, saved: Label) => () => {
    const restored = previous ? setLabel.mutateAsync({ ...target, opinion: previous.opinion, misled_clause: previous.misled_clause, remark: previous.remark }) : deleteLabel.mutateAsync(saved.id)
    restored.catch(failed)
  }
  const save = (more: Omit<LabelWrite, keyof typeof target>) => {
    setLabel.mutateAsync({ ...target, ...more }).then((saved) => toast(`Label saved: ${saved.opinion}.`, { undo: undo(mine, saved) }), failed)
  }
  const remove = (label: Label) => {
    deleteLabel.mutateAsync(label.id).then(
      () => toast('Label removed.', { undo: () => void setLabel.mutateAsync({ ...target, opinion: label.opinion, misled_clause: label.misled_clause, remark: label.remark }).catch(failed) }),
      failed,
    )
  }
  if (labels.error) {
    return (
      <Notice what="The labels could not be loaded." retry={() => void labels.refetch()}>
        {labels.error.message} The finding is not affected.
      </Notice>
    )
  }
  return (
    <div className={styles.panel} data-testid="label-panel">
      <div className={styles.ask}>
        <span>Is this right?</span>
        <Segments<Opinion | ''> label="Is this right?" value={mine?.opinion ?? ''} options={OPINIONS} onChange={(opinion) => opinion && save({ opinion, misled_clause: '', remark: mine?.remark ?? '' })} />
        {mine && (
          <Button look="quiet" onClick={() => remove(mine)}>
            Remove
          </Button>
        )}
      </div>
      {mine && <ReasonForm key={`${mine.opinion}:${mine.updated_at}`} label={mine} finding={finding} isSaving={setLabel.isPending} onSave={save} />}
      {current.length > 0 && (
        <ul className={styles.list} aria-label="Labels of this finding">
          {current.map((label) => (
            <li key={label.id}>
              <strong>{label.author}</strong>: {label.opinion} <span className={styles.soft}><RelativeTime at={label.updated_at} /></span>
              {label.misled_clause && <> · misleading: “{titleOf(finding, label.misled_clause)}”</>}
              {label.remark && <> · {label.remark}</>}
              {staleNote(label, finding) && <span className={styles.soft}> · {staleNote(label, finding)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type ReasonFormProps = { label: Label; finding: Finding; isSaving: boolean; onSave: (more: Pick<LabelWrite, 'opinion' | 'misled_clause' | 'remark'>) => void }

/** Reason for a label: the misleading condition and a remark. */
function ReasonForm({ label, finding, isSaving, onSave }: ReasonFormProps) {
  const id = useId()
  const [clause, setClause] = useState(label.misled_clause)
  const [remark, setRemark] = useState(label.remark)
  const isChanged = clause !== label.misled_clause || remark.trim() !== label.remark
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onSave({ opinion: label.opinion, misled_clause: clause, remark })
      }}
    >
      {label.opinion !== 'right' && (
        <label htmlFor={`${id}-clause`}>
          Misleading condition
          <select id={`${id}-clause`} value={clause} onChange={(event) => setClause(event.target.value)}>
            <option value="">none</option>
            {finding.clauses.map((one) => (
              <option key={one.id} value={one.id}>
                {titleOf(finding, one.id)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label htmlFor={`${id}-remark`}>
        Reason
        <input id={`${id}-remark`} value={remark} maxLength={1000} onChange={(event) => setRemark(event.target.value)} />
      </label>
      {isChanged && (
        <div className={styles.actions}>
          <Button type="submit" look="primary" disabled={isSaving}>
            Save reason
          </Button>
        </div>
      )}
    </form>
  )
}

function titleOf(finding: Finding, clauseId: string): string {
  return finding.clauses.find(({ id }) => id === clauseId)?.title || clauseId.replaceAll('_', ' ')
}
