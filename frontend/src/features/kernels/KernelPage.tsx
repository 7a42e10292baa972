import { type ReactNode, useEffect } from 'react'
import { type KernelDetail, useKernel, useKernelHosts } from '../../api'
import { Command, DataTable, More, Notice, PageLoading } from '../../ui'
import styles from './kernels.module.css'
import { clearingWords, STATUS } from './status'

type Props = {
  release: string
  pkg: string
  allLink: ReactNode
  problemLink: (key: string, text: string) => ReactNode
  caseLink: (number: number, text: string) => ReactNode
}

/** One kernel: what clears most, why each problem affects it or not, and the hosts that run it. */
export function KernelPage({ release, pkg, allLink, problemLink, caseLink }: Props) {
  const kernel = useKernel(release, pkg)
  useEffect(() => {
    document.title = `${release} · Casebook`
  }, [release])
  if (kernel.isPending) return <PageLoading />
  return (
    <div className={styles.page} data-testid="kernel">
      <header>
        <p className={styles.soft}>{allLink}</p>
        <h1>{release}</h1>
        {kernel.data && <p>{kernel.data.says}</p>}
      </header>
      {kernel.error && (
        <Notice what="The kernel could not be loaded." retry={() => void kernel.refetch()}>
          {kernel.error.message}
        </Notice>
      )}
      {kernel.data && (
        <>
          <Clearings kernel={kernel.data} />
          <Statuses kernel={kernel.data} problemLink={problemLink} />
          <Hosts release={release} caseLink={caseLink} />
        </>
      )}
    </div>
  )
}

const names = (keys: readonly string[]) => keys.join(', ') || '–'

function Clearings({ kernel }: { kernel: KernelDetail }) {
  return (
    <section>
      <h2>Which release clears most</h2>
      {kernel.affecting === 0 && <p className={styles.soft}>No known problem affects this release.</p>}
      {kernel.affecting > 0 && kernel.clearings.length === 0 && (
        <p className={styles.soft}>Neither a release of a host of this family nor the records of fixes name one that has a fix of the {kernel.affecting} problems.</p>
      )}
      {kernel.clearings.length > 0 && (
        <DataTable label="Releases that clear problems" columns={['Release', 'Clears', 'Fixed', 'Still affected', 'Unknown', 'Added']}>
          {kernel.clearings.map((one) => (
            <tr key={`${one.release} ${one.is_in_fleet}`}>
              <th scope="row">
                {one.release}
                {!one.is_in_fleet && <div className={styles.soft}>no host runs it yet</div>}
              </th>
              <td>{clearingWords(one, kernel.affecting)}</td>
              <td>{names(one.cleared)}</td>
              <td>{names(one.left)}</td>
              <td>{names(one.undecided)}</td>
              <td>{names(one.added)}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  )
}

function Statuses({ kernel, problemLink }: { kernel: KernelDetail; problemLink: Props['problemLink'] }) {
  const order = Object.keys(STATUS)
  const ranked = [...kernel.statuses].toSorted((a, b) => b.found_on - a.found_on || order.indexOf(a.status) - order.indexOf(b.status))
  const found = kernel.problems.filter((one) => one.found_on > 0 && !kernel.statuses.some(({ key }) => key === one.key))
  return (
    <section>
      <h2>Problems</h2>
      {found.length > 0 && (
        <p>
          Found on its hosts, and not a matter of the version:{' '}
          {found.map((one, at) => (
            <span key={one.key}>
              {at > 0 && ', '}
              {problemLink(one.key, one.key)} ×{one.found_on}
            </span>
          ))}
        </p>
      )}
      <DataTable label="Status of each problem" columns={['Problem', 'Status', 'Why', 'What decides']}>
        {ranked.map((one) => (
          <tr key={one.key}>
            <th scope="row">{problemLink(one.key, one.title)}</th>
            <td>
              {STATUS[one.status].sign} {STATUS[one.status].words}
              {one.found_on > 0 && <strong>, found on {one.found_on}</strong>}
            </td>
            <td>{one.basis}</td>
            <td>{one.capture && <Command text={one.capture} />}</td>
          </tr>
        ))}
      </DataTable>
    </section>
  )
}

function Hosts({ release, caseLink }: { release: string; caseLink: Props['caseLink'] }) {
  const hosts = useKernelHosts(release)
  const items = hosts.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section>
      <h2>Hosts</h2>
      {hosts.error && !hosts.isFetchNextPageError && (
        <Notice what="The hosts could not be loaded." retry={() => void hosts.refetch()}>
          {hosts.error.message}
        </Notice>
      )}
      {items.length > 0 && (
        <DataTable label="Hosts" columns={['Host', 'Distribution', 'Instance type', 'Cluster', 'From']}>
          {items.map((one) => (
            <tr key={`${one.host} ${one.source ?? ''} ${one.case ?? ''}`}>
              <th scope="row">{one.host || 'unnamed'}</th>
              <td>{one.distro}</td>
              <td>{one.instance_type}</td>
              <td>{one.cluster}</td>
              <td>{one.case === null ? `inventory ${one.source ?? ''}` : caseLink(one.case, `case ${one.case}`)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      <More of={hosts} label="More hosts" />
    </section>
  )
}
