import { useState } from 'react'
import { type CaptureRun, useAddResult, useCaptureRuns, useDeleteCapture, useRestoreCapture } from '../../api'
import { Button, Notice, RelativeTime, useToast } from '../../ui'
import { CONDITIONS } from '../../words'
import styles from './captures.module.css'
import { ResultForm } from './ResultForm'

type Props = { caseId: string; onShow: (evidenceId: string) => void }

/** The recorded capture runs, their results and the conditions they decided. */
export function RunList({ caseId, onShow }: Props) {
  const runs = useCaptureRuns(caseId)
  if (runs.error) {
    return (
      <Notice what="The capture runs could not be loaded." retry={() => void runs.refetch()}>
        {runs.error.message} Findings are not affected.
      </Notice>
    )
  }
  if (!runs.data || runs.data.length === 0) return null
  return (
    <section aria-label="Capture runs" data-testid="capture-runs">
      <h2 className={styles.head}>Capture runs</h2>
      <ul className={styles.runs}>
        {runs.data.map((run) => (
          <Run key={run.id} caseId={caseId} run={run} onShow={onShow} />
        ))}
      </ul>
    </section>
  )
}

function Run({ caseId, run, onShow }: { caseId: string; run: CaptureRun; onShow: Props['onShow'] }) {
  const [isAdding, setIsAdding] = useState(false)
  const add = useAddResult(caseId)
  const remove = useDeleteCapture(caseId)
  const restore = useRestoreCapture(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const removeRun = () => void remove.mutateAsync(run.id).then(() => toast('Run removed; its evidence stays.', { undo: () => void restore.mutateAsync(run.id).catch(showError) }), showError)
  return (
    <li className={styles.run}>
      <div className={styles.runHead}>
        <strong>{run.title}</strong>
        <span className={styles.soft}>
          {run.author}, <RelativeTime at={run.ran_at} />
        </span>
      </div>
      {run.results.map(({ evidence_id, name, state }) => (
        <button key={evidence_id} type="button" className={styles.result} onClick={() => onShow(evidence_id)}>
          {name} <span className={styles.soft}>{state}</span>
        </button>
      ))}
      {run.results.length === 0 && !isAdding && <p className={styles.soft}>No result yet.</p>}
      {run.settles.length > 0 && run.results.length > 0 && <p className={styles.soft}>{run.settles.map(({ title, state }) => `${title}: ${CONDITIONS[state]}`).join('; ')}</p>}
      {isAdding ? (
        <ResultForm
          name={run.title}
          isNew={false}
          isSending={add.isPending}
          onCancel={() => setIsAdding(false)}
          onSend={(result) =>
            void add.mutateAsync({ run, result }).then(() => {
              setIsAdding(false)
              toast('Result added; reading it.')
            }, showError)
          }
        />
      ) : (
        <div className={styles.actions}>
          <Button onClick={() => setIsAdding(true)} aria-label={`Add result of: ${run.title}`}>
            Add result
          </Button>
          <Button look="quiet" onClick={removeRun} aria-label={`Remove: ${run.title}`}>
            Remove
          </Button>
        </div>
      )}
    </li>
  )
}
