import { type ReactNode, useEffect, useState } from 'react'
import { type ProblemRead, useProblem } from '../../api'
import { DataTable, Notice, RelativeTime } from '../../ui'
import styles from './problems.module.css'
import { allWeeks } from './weeks'

type Props = {
  problemKey: string
  allLink: ReactNode
  signatureLink: (id: string, text: string) => ReactNode
  caseLink: (caseNumber: number, text: string) => ReactNode
  casesLink: (query: string, text: string) => ReactNode
}

/** One problem: hits by week, hosts, kernels, fixes with their outcomes, precision, newest cases. */
export function ProblemPage({ problemKey, allLink, signatureLink, caseLink, casesLink }: Props) {
  const { data, error, isPending, refetch } = useProblem(problemKey)
  useEffect(() => {
    document.title = `${data?.title ?? 'Problem'} · Casebook`
  }, [data?.title])
  return (
    <div className={styles.page} data-testid="problem">
      <p className={styles.soft}>{allLink}</p>
      {error && (
        <Notice what="The problem could not be loaded." retry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      {isPending && <div className={styles.waiting} role="status" aria-label="Loading the problem" />}
      {data && (
        <>
          <header>
            <h1>{data.title}</h1>
            <p className={styles.soft}>
              {data.kind === 'signature' ? signatureLink(data.key, 'Signature and story') : <code>{data.key}</code>} · {casesLink(data.term, data.cases === 1 ? '1 case' : `${data.cases.toLocaleString('en')} cases`)} ·{' '}
              {casesLink(`${data.term} status:open`, `${data.open.toLocaleString('en')} open`)}
              {data.cases > 0 && (
                <>
                  {' '}
                  · first seen <RelativeTime at={data.first_seen} /> · last seen <RelativeTime at={data.last_seen} />
                </>
              )}
            </p>
          </header>
          <Weeks problem={data} />
          <div className={styles.columns}>
            <Values title="Hosts" field="host" values={data.hosts} term={data.term} casesLink={casesLink} />
            <Values title="Kernels" field="kernel" values={data.kernels} term={data.term} casesLink={casesLink} />
            <Values title="Distributions" field="distro" values={data.distros} term={data.term} casesLink={casesLink} />
            {data.kind === 'signature' && <Knowledge problem={data} />}
          </div>
          {data.newest.length > 0 && (
            <section>
              <h2>Newest cases</h2>
              <DataTable label="Newest cases" columns={['Case', 'Status', 'Owner', 'Hosts', 'Opened']}>
                {data.newest.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">{caseLink(one.number, `${one.number} ${one.name}`)}</th>
                    <td>{one.status}</td>
                    <td>{one.assignee?.name ?? '–'}</td>
                    <td>{one.hosts.slice(0, 3).join(', ') || '–'}</td>
                    <td>
                      <RelativeTime at={one.created_at} />
                    </td>
                  </tr>
                ))}
              </DataTable>
            </section>
          )}
        </>
      )}
    </div>
  )
}

function Weeks({ problem }: { problem: ProblemRead }) {
  const [now] = useState(() => Date.now())
  const weeks = allWeeks(problem.weeks, now)
  const most = Math.max(1, ...weeks.map(({ cases }) => cases))
  if (weeks.length === 0) return <p className={styles.soft}>No case in the last 26 weeks.</p>
  return (
    <section aria-labelledby="weeks">
      <h2 id="weeks">Cases by week</h2>
      <ol className={styles.weeks}>
        {weeks.map(({ start, cases }) => (
          <li key={start} title={`week of ${start.slice(0, 10)}: ${cases}`}>
            <span className={styles.weekCount}>{cases}</span>
            <span className={styles.bar} style={{ blockSize: `${Math.round((64 * cases) / most)}px` }} />
            <span className={styles.weekDay}>{start.slice(5, 10)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Values({ title, field, values, term, casesLink }: { title: string; field: string; values: ProblemRead['hosts']; term: string; casesLink: Props['casesLink'] }) {
  if (values.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul className={styles.values}>
        {values.map(({ value, count }) => (
          <li key={value}>
            {casesLink(`${term} ${field}:"${value.replaceAll('"', '\\"')}"`, value)} <span className={styles.soft}>{count.toLocaleString('en')}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Knowledge({ problem: { precision, fixes, resolved } }: { problem: ProblemRead }) {
  const judged = precision ? precision.right + precision.wrong : 0
  return (
    <section aria-label="What helped">
      <h2>What helped</h2>
      <ul className={styles.values}>
        {fixes.map((one) => (
          <li key={one.fix}>
            {one.fix}{' '}
            <span className={styles.soft}>
              helped {one.successes} of {one.successes + one.failures}
              {one.not_compared > 0 && `, ${one.not_compared} without a comparable recording`}
            </span>
          </li>
        ))}
        {fixes.length === 0 && <li className={styles.soft}>{resolved === 0 ? 'No case is resolved.' : 'No resolved case names its fix.'}</li>}
      </ul>
      <h2>Precision</h2>
      {precision && judged > 0 ? (
        <p>
          {precision.right} of {judged} labels say it is right: {Math.round(precision.low * 100)}–{Math.round(precision.high * 100)} % <span className={styles.soft}>(95 % interval)</span>
        </p>
      ) : (
        <p className={styles.soft}>Nobody has labelled a finding of it.</p>
      )}
    </section>
  )
}
