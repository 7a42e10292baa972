import { useId, useState } from 'react'
import { type Finding, type Label, type LabelWrite, type Opinion, useLabels, useSayLabel, useTakeBackLabel } from '../../api'
import { Ago, Button, Notice, Segments, useToast } from '../../ui'
import styles from './labels.module.css'
import { labelsOf, OPINIONS, saidThen } from './words'

type Props = { caseId: string; finding: Finding }

/** Is this right? One click says it; which condition misled and why may follow. The verdict stays as it is. */
export function LabelPanel({ caseId, finding }: Props) {
  const labels = useLabels(caseId)
  const sayLabel = useSayLabel(caseId)
  const takeBack = useTakeBackLabel(caseId)
  const toast = useToast()
  const said = labelsOf(finding, labels.data ?? [])
  const mine = said.find(({ is_mine }) => is_mine)
  const place = { signature: finding.signature, host: finding.host, phase: finding.phase }
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })

  const undo = (before: Label | undefined, now: Label) => () => {
    const back = before ? sayLabel.mutateAsync({ ...place, opinion: before.opinion, misled_clause: before.misled_clause, remark: before.remark }) : takeBack.mutateAsync(now.id)
    back.catch(failed)
  }
  const say = (more: Omit<LabelWrite, keyof typeof place>) => {
    sayLabel.mutateAsync({ ...place, ...more }).then((now) => toast(`Noted: you say this is ${now.opinion}.`, { undo: undo(mine, now) }), failed)
  }
  const remove = (label: Label) => {
    takeBack.mutateAsync(label.id).then(
      () => toast('Your word is taken back.', { undo: () => void sayLabel.mutateAsync({ ...place, opinion: label.opinion, misled_clause: label.misled_clause, remark: label.remark }).catch(failed) }),
      failed,
    )
  }
  if (labels.error) {
    return (
      <Notice what="What people said of this could not be loaded." retry={() => void labels.refetch()}>
        {labels.error.message} The finding is not affected.
      </Notice>
    )
  }
  return (
    <div className={styles.panel} data-testid="label-panel">
      <div className={styles.ask}>
        <span>Is this right?</span>
        <Segments<Opinion | ''> label="Is this right?" value={mine?.opinion ?? ''} options={OPINIONS} onChange={(opinion) => opinion && say({ opinion, misled_clause: '', remark: mine?.remark ?? '' })} />
        {mine && (
          <Button look="quiet" onClick={() => remove(mine)}>
            Take back
          </Button>
        )}
      </div>
      {mine && <Why key={`${mine.opinion}:${mine.updated_at}`} label={mine} finding={finding} isSaving={sayLabel.isPending} onSave={say} />}
      {said.length > 0 && (
        <ul className={styles.said} aria-label="What people say of this finding">
          {said.map((label) => (
            <li key={label.id}>
              <strong>{label.author}</strong> says {label.opinion} <span className={styles.soft}><Ago at={label.updated_at} /></span>
              {label.misled_clause && <> · misled by “{titleOf(finding, label.misled_clause)}”</>}
              {label.remark && <> · {label.remark}</>}
              {saidThen(label, finding) && <span className={styles.soft}> · {saidThen(label, finding)}</span>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

type WhyProps = { label: Label; finding: Finding; isSaving: boolean; onSave: (more: Pick<LabelWrite, 'opinion' | 'misled_clause' | 'remark'>) => void }

/** Which condition misled, and a sentence; asked for only once somebody has said something. */
function Why({ label, finding, isSaving, onSave }: WhyProps) {
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
          Which condition misled?
          <select id={`${id}-clause`} value={clause} onChange={(event) => setClause(event.target.value)}>
            <option value="">none in particular</option>
            {finding.clauses.map((one) => (
              <option key={one.id} value={one.id}>
                {titleOf(finding, one.id)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label htmlFor={`${id}-remark`}>
        Why, in a sentence
        <input id={`${id}-remark`} value={remark} maxLength={1000} onChange={(event) => setRemark(event.target.value)} />
      </label>
      {isChanged && (
        <div className={styles.actions}>
          <Button type="submit" look="primary" disabled={isSaving}>
            Save why
          </Button>
        </div>
      )}
    </form>
  )
}

function titleOf(finding: Finding, clauseId: string): string {
  return finding.clauses.find(({ id }) => id === clauseId)?.title || clauseId.replaceAll('_', ' ')
}
