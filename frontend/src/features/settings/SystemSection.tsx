import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { type System, useSystem } from '../../api'
import { Notice, RelativeTime, Tag } from '../../ui'
import { age } from './jobs'
import { SandboxTable } from './SandboxTable'
import { format } from '../../profile'
import styles from './settings.module.css'

/** The state of the system: components, queues, workers, sandbox, database, store, disk, backup, outbox, engines. */
export function SystemSection() {
  const system = useSystem()
  return (
    <>
      <h1>System</h1>
      {system.error && <Notice what="The state of the system could not be loaded." retry={() => void system.refetch()}>{system.error.message}</Notice>}
      {system.isPending && <p role="status">Loading the state of the system…</p>}
      {system.data && <State of={system.data} />}
    </>
  )
}

function State({ of }: { of: System }) {
  const { database, store, disk, backup, outbox } = of
  const waits = of.queues.map((one) => `${one.name}: ${one.queued.toLocaleString('en')} queued${one.queued > 0 ? `, the oldest for ${age(one.oldest_seconds)}` : ''}, ${one.running} running`)
  const stopped = of.processes.filter((one) => !one.is_running)
  return (
    <>
      <dl className={styles.facts} data-testid="system">
        <Fact name="Components">
          {of.components.map((one) => (
            <Tag key={one.name} tone={one.is_ok ? 'calm' : 'match'}>
              {one.is_ok ? one.name : `${one.name}: ${one.detail}`}
            </Tag>
          ))}
        </Fact>
        <Fact name="Queues">
          {waits.length === 0 ? 'No jobs are queued or running' : waits.join('; ')}
          {of.failed_jobs > 0 && (
            <>
              {' · '}
              <Link to="/settings/$page" params={{ page: 'jobs' }}>
                {of.failed_jobs.toLocaleString('en')} failed
              </Link>
            </>
          )}
        </Fact>
        {of.processes.length > 0 && (
          <Fact name="Processes">{stopped.length === 0 ? `All ${of.processes.length} run` : stopped.map((one) => <Tag key={one.name} tone="match">{one.name} is stopped</Tag>)}</Fact>
        )}
        <Fact name="Disk">
          {format.bytes(disk.free_bytes)} of {format.bytes(disk.total_bytes)} free; uploads leave {format.bytes(disk.reserved_bytes)}
        </Fact>
        <Fact name="Evidence">
          {format.bytes(store.size_bytes)} in {store.blobs.toLocaleString('en')} files, {store.kind === 'S3' ? 'S3' : 'in a directory'}
        </Fact>
        <Fact name="Database">
          PostgreSQL {database.version}, {format.bytes(database.size_bytes)}, migration {database.migration}, {database.connections} of {database.max_connections} connections
        </Fact>
        <Fact name="Last backup">
          {backup === null && <Tag tone="suspect">None by <code>casebook backup</code></Tag>}
          {backup && (
            <>
              <RelativeTime at={backup.made_at} /> in <code>{backup.directory}</code>: {backup.cases.toLocaleString('en')} cases, {backup.objects.toLocaleString('en')} objects, {format.bytes(backup.size_bytes)}
              {backup.incomplete > 0 && <Tag tone="match">{backup.incomplete} objects missing or damaged</Tag>}
            </>
          )}
        </Fact>
        <Fact name="Outbox">
          {outbox.waiting === 0 ? 'Nothing waits' : `${outbox.waiting.toLocaleString('en')} wait, the oldest for ${age(outbox.oldest_seconds)}`}
          {outbox.held > 0 && `; ${outbox.held.toLocaleString('en')} held by disabled destinations`}
        </Fact>
        <Fact name="Engines">{of.engines.map((one) => `${one.name}: ${one.state}`).join(', ')}</Fact>
        <Fact name="Versions">
          Casebook {of.version}, Python {of.python}, Linux {of.kernel}
        </Fact>
      </dl>
      {of.running.length > 0 && <Running jobs={of.running} />}
      <h2>Parser sandbox</h2>
      <p className={styles.soft}>
        Restrictions that the kernel of each machine grants. <code>CASEBOOK_SANDBOX=required</code> refuses to read evidence with fewer than all.
      </p>
      <SandboxTable sandboxes={of.sandboxes} />
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Running({ jobs }: { jobs: System['running'] }) {
  return (
    <>
      <h2>Running jobs</h2>
      <div className={styles.box} tabIndex={0} role="region" aria-label="Running jobs">
        <table className={styles.table} data-testid="running-jobs">
          <thead>
            <tr>
              <th scope="col">Worker</th>
              <th scope="col">Queue</th>
              <th scope="col">Kind</th>
              <th scope="col">Case</th>
              <th scope="col">For</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map((job, at) => (
              <tr key={`${job.worker} ${at}`}>
                <td>{job.worker}</td>
                <td>{job.queue}</td>
                <td>{job.kind}</td>
                <td>{job.case_number}</td>
                <td>{age(job.running_seconds)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
