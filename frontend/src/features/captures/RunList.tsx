import { useState } from 'react'
import { type CaptureRun, useAddResult, useCaptureRuns, useDeleteCapture, useRestoreCapture } from '../../api'
import { Button, Notice, RelativeTime, useToast } from '../../ui'
import styles from './captures.module.css'
import { ResultForm } from './ResultForm'

type Props = { caseId: string; onShow: (evidenceId: string) => void }

/** What was run, what came of it, and what that settled. */
export function RunList({ caseId, onShow }: Props) {
  const runs = useCaptureRuns(caseId)
  if (runs.error) {
    return (
      <Notice what="The captures that were run could not be loaded." retry={() => void runs.refetch()}>
        {runs.error.message} Findings are not affected.
      </Notice>
    )
  }
  if (!runs.data || runs.data.length === 0) return null
  return (
    <section aria-label="Captures that were run" data-testid="capture-runs">
      <h2 className={styles.head}>Captures that were run</h2>
      <ul className={styles.runs}>
        {runs.data.map((run) => (
          <Run key={run.id} caseId={caseId} run={run} onShow={onShow} />
        ))}
      </ul>
    </section>
  )
}

const STATE: Record<CaptureRun['settles'][number]['state'], string> = { TRUE: 'met', FALSE: 'not met', UNKNOWN: 'still open', NOT_OBSERVABLE: 'this kernel cannot show it' }

function Run({ caseId, run, onShow }: { caseId: string; run: CaptureRun; onShow: Props['onShow'] }) {
  const [isAdding, setIsAdding] = useState(false)
  const add = useAddResult(caseId)
  const takeBack = useDeleteCapture(caseId)
  const restore = useRestoreCapture(caseId)
  const toast = useToast()
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const discard = () => void takeBack.mutateAsync(run.id).then(() => toast('Taken back; its evidence stays.', { undo: () => void restore.mutateAsync(run.id).catch(failed) }), failed)
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
      {run.settles.length > 0 && run.results.length > 0 && <p className={styles.soft}>{run.settles.map(({ title, state }) => `${title}: ${STATE[state]}`).join('; ')}</p>}
      {isAdding ? (
        <ResultForm
          name={run.title}
          isNew={false}
          isSending={add.isPending}
          onCancel={() => setIsAdding(false)}
          onSend={(result) =>
            void add.mutateAsync({ run, result }).then(() => {
              setIsAdding(false)
              toast('The result is added; reading.')
            }, failed)
          }
        />
      ) : (
        <div className={styles.actions}>
          <Button onClick={() => setIsAdding(true)} aria-label={`Add a result of: ${run.title}`}>
            Add a result
          </Button>
          <Button look="quiet" onClick={discard} aria-label={`Take back: ${run.title}`}>
            Take back
          </Button>
        </div>
      )}
    </li>
  )
}
