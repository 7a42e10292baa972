import { type ReactNode, useEffect } from 'react'
import { type ProblemKind, useProblems } from '../../api'
import { DataTable, More, Notice, RelativeTime, Segments } from '../../ui'
import styles from './problems.module.css'

type Props = { kind: ProblemKind; onKind: (kind: ProblemKind) => void; linkTo: (key: string, text: string) => ReactNode }

/** Problems by the number of cases: signatures, or what no signature explains. */
export function ProblemsPage({ kind, onKind, linkTo }: Props) {
  const problems = useProblems(kind)
  const items = problems.data?.pages.flatMap((page) => page.items) ?? []
  useEffect(() => {
    document.title = 'Problems · Casebook'
  }, [])
  return (
    <div className={styles.page} data-testid="problems">
      <header className={styles.head}>
        <div>
          <h1>Problems</h1>
          <p className={styles.soft}>What cases have in common. Cases that no signature explains form a cluster by equal wait root, equal log class and kind of device, or equal heaviest functions.</p>
        </div>
        <Segments
          label="Kind"
          value={kind}
          options={[
            { value: 'signature', label: 'Signatures' },
            { value: 'cluster', label: 'Unexplained', hint: 'The work list of curators' },
          ]}
          onChange={onKind}
        />
      </header>
      {problems.error && !problems.isFetchNextPageError && (
        <Notice what="The problems could not be loaded." retry={() => void problems.refetch()}>
          {problems.error.message}
        </Notice>
      )}
      {problems.isPending && <div className={styles.waiting} role="status" aria-label="Loading problems" />}
      {problems.data && items.length === 0 && (
        <p className={styles.none}>{kind === 'cluster' ? 'No unexplained cluster: every judged case has a signature, or shares nothing with another.' : 'No case has a signature yet.'}</p>
      )}
      {items.length > 0 && (
        <DataTable label="Problems" columns={['Problem', 'Cases', 'Open', 'First seen', 'Last seen']}>
          {items.map((one) => (
            <tr key={one.key}>
              <th scope="row">{linkTo(one.key, one.title)}</th>
              <td>{one.cases.toLocaleString('en')}</td>
              <td>{one.open.toLocaleString('en')}</td>
              <td>
                <RelativeTime at={one.first_seen} />
              </td>
              <td>
                <RelativeTime at={one.last_seen} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      <More of={problems} label="More problems" />
    </div>
  )
}
