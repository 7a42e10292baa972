import { type ReactNode, useEffect, useState } from 'react'
import { type ProblemRead, useProblem } from '../../api'
import { Notice, RelativeTime } from '../../ui'
import { MadeBy } from './MadeBy'
import { NewestCases } from './NewestCases'
import styles from './problems.module.css'
import { durationText } from './selection'
import { allWeeks } from './weeks'

type Props = {
  problemKey: string
  allLink: ReactNode
  signatureLink: (id: string, text: string) => ReactNode
  caseLink: (caseNumber: number, text: string) => ReactNode
  casesLink: (query: string, text: string) => ReactNode
  /** After a split, with the key of the new problem; after one was taken back, without. */
  onMade: (key?: string) => void
}

/** One problem: hits by week, hosts, kernels, fixes with their outcomes, precision, newest cases. */
export function ProblemPage({ problemKey, allLink, signatureLink, caseLink, casesLink, onMade }: Props) {
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
          {data.made && <MadeBy problemKey={data.key} made={data.made} onTakenBack={() => onMade()} />}
          <Weeks problem={data} />
          <div className={styles.columns}>
            <Values title="Hosts" field="host" values={data.hosts} term={data.term} casesLink={casesLink} />
            <Values title="Kernels" field="kernel" values={data.kernels} term={data.term} casesLink={casesLink} />
            <Values title="Distributions" field="distro" values={data.distros} term={data.term} casesLink={casesLink} />
            <Knowledge problem={data} />
          </div>
          {data.newest.length > 0 && <NewestCases key={data.key} problem={data} caseLink={caseLink} onMade={onMade} />}
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
              {fixText(one)}
            </span>
          </li>
        ))}
        {fixes.length === 0 && <li className={styles.soft}>{resolved === 0 ? 'No case is resolved.' : 'No resolved case names its fix.'}</li>}
      </ul>
      {precision && <h2>Precision</h2>}
      {precision && judged > 0 && (
        <p>
          {precision.right} of {judged} labels say it is right: {Math.round(precision.low * 100)}–{Math.round(precision.high * 100)} % <span className={styles.soft}>(95 % interval)</span>
        </p>
      )}
      {precision && judged === 0 && <p className={styles.soft}>Nobody has labelled a finding of it.</p>}
    </section>
  )
}

function fixText({ cases, successes, failures, not_compared, mitigated, mitigation_seconds }: ProblemRead['fixes'][number]): string {
  const compared = successes + failures
  const parts = [
    compared > 0 ? `helped ${successes} of ${compared}` : `used in ${cases} ${cases === 1 ? 'case' : 'cases'}`,
    compared > 0 && not_compared > 0 ? `${not_compared} without a comparable recording` : '',
    typeof mitigation_seconds !== 'number' ? '' : `mitigated after ${durationText(mitigation_seconds)}${mitigated > 1 ? ` (median of ${mitigated})` : ''}`,
  ]
  return parts.filter(Boolean).join(', ')
}
