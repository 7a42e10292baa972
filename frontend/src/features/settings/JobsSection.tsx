import { Link } from '@tanstack/react-router'
import { type FailedJob, type QueueStatus, useChangeFailedJobs, useFailedJobs, useStatus } from '../../api'
import { Button, More, Notice, RelativeTime, useToast } from '../../ui'
import { age, jobs, workOf } from './jobs'
import styles from './settings.module.css'

/** Queues, and the jobs that failed in all their attempts. */
export function JobsSection() {
  const status = useStatus()
  const failed = useFailedJobs()
  const found = failed.data?.pages.flatMap((page) => page.items)
  const isShownWrong = failed.error !== null && !failed.isFetchNextPageError
  return (
    <>
      <h1>Jobs</h1>
      <h2>Queues</h2>
      {status.error && <Notice what="The queues could not be loaded." retry={() => void status.refetch()}>{status.error.message}</Notice>}
      {status.isPending && <p role="status">Loading the queues…</p>}
      {status.data && <QueueTable queues={status.data.queues} />}
      <h2>Failed jobs</h2>
      <p className={styles.soft}>
        Failed in all their attempts. The log of the service has the cause, after <code>reported as</code> and the number. Run a job again once its cause is gone.
      </p>
      {isShownWrong && <Notice what="The failed jobs could not be loaded." retry={() => void failed.refetch()}>{failed.error?.message}</Notice>}
      {failed.isPending && <p role="status">Loading the failed jobs…</p>}
      {found?.length === 0 && <p className={styles.soft}>No failed jobs.</p>}
      {found && found.length > 0 && <FailedTable found={found} />}
      <More of={failed} label="Show older jobs" />
    </>
  )
}

function QueueTable({ queues }: { queues: readonly QueueStatus[] }) {
  if (queues.length === 0) return <p className={styles.soft}>No jobs are queued or running.</p>
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label="Queues">
      <table className={styles.table} data-testid="queues">
        <thead>
          <tr>
            <th scope="col">Queue</th>
            <th scope="col">Running</th>
            <th scope="col">Queued</th>
            <th scope="col">Senders</th>
            <th scope="col">Longest wait</th>
            <th scope="col">Moved from light</th>
          </tr>
        </thead>
        <tbody>
          {queues.map((queue) => (
            <tr key={queue.name}>
              <td>{queue.name}</td>
              <td>{queue.running}</td>
              <td>{queue.queued.toLocaleString('en')}</td>
              <td>{queue.senders}</td>
              <td>{queue.queued > 0 ? age(queue.oldest_seconds) : ''}</td>
              <td>{queue.demoted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function FailedTable({ found }: { found: readonly FailedJob[] }) {
  const toast = useToast()
  const change = useChangeFailedJobs()
  const done = { retry: 'queued again', dismiss: 'dismissed' }
  const act = (name: 'retry' | 'dismiss', ids: string[] | null) =>
    change.mutate(
      { change: name, ids },
      {
        onSuccess: ({ changed, left }) => toast(`${jobs(changed)} ${done[name]}${ids === null && left > 0 ? `, ${left.toLocaleString('en')} left` : ''}.`),
        onError: (error) => toast(error.message, { isError: true }),
      },
    )
  return (
    <>
      <p className={styles.actions}>
        <Button onClick={() => act('retry', null)} disabled={change.isPending}>
          Run all again
        </Button>
        <Button onClick={() => act('dismiss', null)} disabled={change.isPending}>
          Dismiss all
        </Button>
      </p>
      <div className={styles.box} tabIndex={0} role="region" aria-label="Failed jobs">
        <table className={styles.table} data-testid="failed-jobs">
          <thead>
            <tr>
              <th scope="col">Failed</th>
              <th scope="col">Work</th>
              <th scope="col">Case</th>
              <th scope="col">Attempts</th>
              <th scope="col">Error</th>
              <th scope="col">Reported as</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {found.map((job) => (
              <tr key={job.id}>
                <td>{job.failed_at && <RelativeTime at={job.failed_at} />}</td>
                <td>{workOf(job)}</td>
                <td className={styles.actions}>
                  <Subject job={job} />
                </td>
                <td>{job.attempt}</td>
                <td>{job.failure || 'Worker lost'}</td>
                <td>
                  <code>{job.error_number}</code>
                </td>
                <td className={styles.actions}>
                  <Button aria-label={`Run again: ${workOf(job)}, reported as ${job.error_number}`} onClick={() => act('retry', [job.id])} disabled={change.isPending}>
                    Run again
                  </Button>
                  <Button aria-label={`Dismiss: ${workOf(job)}, reported as ${job.error_number}`} onClick={() => act('dismiss', [job.id])} disabled={change.isPending}>
                    Dismiss
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

/** A link to the case of a job, and to its evidence if it is about one. */
function Subject({ job }: { job: FailedJob }) {
  if (job.case_number === null) return null
  return (
    <Link to="/cases/$caseId" params={{ caseId: String(job.case_number) }} search={job.evidence_id ? { evidence: job.evidence_id } : {}}>
      Case {job.case_number}
    </Link>
  )
}
