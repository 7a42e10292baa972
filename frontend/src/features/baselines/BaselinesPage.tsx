import { type ReactNode, useEffect } from 'react'
import { type Baseline, useBaselines } from '../../api'
import { Command, DataTable, Notice, RelativeTime } from '../../ui'
import styles from './baselines.module.css'

const EXAMPLE = "casebook baseline add 'runs/*' --project db/proxy --work 12000"
type Props = { linkTo: (id: string, text: string) => ReactNode }

/** All visible series: project, benchmark, class of machines and kernel. */
export function BaselinesPage({ linkTo }: Props) {
  const { data, error, isPending, refetch } = useBaselines()
  useEffect(() => {
    document.title = 'Baselines · Casebook'
  }, [])
  return (
    <div className={styles.page} data-testid="baselines">
      <header>
        <h1>Baselines</h1>
        <p className={styles.soft}>What the runs of a benchmark cost, build by build. Points of one project, benchmark, class of machines and kernel are a series.</p>
      </header>
      {error && (
        <Notice what="The baselines could not be loaded." retry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      {isPending && <div className={styles.waiting} role="status" aria-label="Loading baselines" />}
      {data?.length === 0 && (
        <div className={styles.none}>
          <p>No baselines. A point is added after the runs of a build:</p>
          <Command text={EXAMPLE} />
        </div>
      )}
      {data && data.length > 0 && <SeriesTable series={data} linkTo={linkTo} />}
    </div>
  )
}

function SeriesTable({ series, linkTo }: { series: readonly Baseline[]; linkTo: Props['linkTo'] }) {
  return (
    <DataTable label="Series" columns={['Project', 'Benchmark', 'Machine', 'Kernel', 'Team', 'Points', 'Latest']}>
      {series.map((one) => (
        <tr key={one.id}>
          <th scope="row">{linkTo(one.id, one.project)}</th>
          <td>{one.benchmark}</td>
          <td>{one.machine}</td>
          <td>{one.kernel || 'unknown'}</td>
          <td>{one.team ?? 'everybody'}</td>
          <td>{one.points}</td>
          <td>
            <code>{one.latest_commit.slice(0, 12)}</code> <RelativeTime at={one.latest_at} />
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
