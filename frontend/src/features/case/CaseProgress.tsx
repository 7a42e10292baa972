import { type Case, type Connection, useCancelJobs, useIsGuest, useJudgeAgain } from '../../api'
import { Button, useToast } from '../../ui'
import styles from './case.module.css'

type Props = { caseId: string; head: Case; connection: Connection }

/** What is read or judged now, with a way to cancel it; why the newest evidence is not judged, with a way to repeat it. */
export function CaseProgress({ caseId, head, connection }: Props) {
  const toast = useToast()
  const isGuest = useIsGuest()
  const cancel = useCancelJobs(caseId)
  const judge = useJudgeAgain(caseId)
  const work = head.reading_count > 0 ? 'reading' : !head.judged && head.evidence_count > 0 ? 'judging' : undefined
  const status =
    work === 'reading'
      ? `reading ${head.reading_count} of ${head.evidence_count}`
      : (work ?? (connection === 'lost' ? 'live updates interrupted; reconnecting' : ''))
  const showError = (error: Error) => toast(error.message, { isError: true })
  const unjudged = work ? '' : (head.headline?.unjudged ?? '')
  return (
    <>
      <span role="status" className={styles.progress} data-testid="case-progress" data-live={connection}>
        {status}
      </span>
      {work && !isGuest && (
        <Button look="quiet" aria-label={`Cancel ${work}`} onClick={() => cancel.mutate({ work }, { onError: showError })} disabled={cancel.isPending}>
          Cancel
        </Button>
      )}
      {unjudged && (
        <p className={styles.ended} data-testid="unjudged">
          {unjudged}.{' '}
          {!isGuest && (
            <Button onClick={() => judge.mutate(undefined, { onError: showError })} disabled={judge.isPending}>
              Judge again
            </Button>
          )}
        </p>
      )}
    </>
  )
}
