import type { ReactNode } from 'react'
import type { KernelRead } from '../../api'
import styles from './kernels.module.css'
import { clearingWords, STATUS } from './status'

type Props = {
  kernels: readonly KernelRead[]
  /** Titles of the problems that are columns, by key. */
  titles: ReadonlyMap<string, string>
  linkTo: (release: string, pkg: string, text: string) => ReactNode
  problemLink: (key: string, text: string) => ReactNode
}

/** A row for each kernel, a column for each problem that affects one of them or was found on one. */
export function KernelMatrix({ kernels, titles, linkTo, problemLink }: Props) {
  const keys = [...titles.keys()].toSorted()
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label="Kernels and problems">
      <table className={styles.matrix}>
        <thead>
          <tr>
            <th scope="col">Kernel</th>
            <th scope="col">Hosts</th>
            <th scope="col">Affecting</th>
            <th scope="col">Clears most</th>
            {keys.map((key) => (
              <th key={key} scope="col" className={styles.problem} title={titles.get(key)}>
                {problemLink(key, key.split('/')[1] ?? key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kernels.map((kernel) => (
            <Row key={`${kernel.release} ${kernel.package}`} kernel={kernel} keys={keys} linkTo={linkTo} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ kernel, keys, linkTo }: { kernel: KernelRead; keys: readonly string[]; linkTo: Props['linkTo'] }) {
  const byKey = new Map(kernel.problems.map((one) => [one.key, one]))
  return (
    <tr>
      <th scope="row">
        {linkTo(kernel.release, kernel.package, kernel.release)}
        <div className={styles.soft}>{kernel.package ? `${kernel.family} ${kernel.package}` : kernel.family}</div>
      </th>
      <td className={styles.number}>{hostWords(kernel)}</td>
      <td className={styles.number}>{kernel.affecting}</td>
      <td>
        {kernel.best ? (
          <>
            <strong>{kernel.best.release}</strong> {clearingWords(kernel.best, kernel.affecting)}
            {!kernel.best.is_in_fleet && <div className={styles.soft}>no host runs it yet</div>}
          </>
        ) : (
          <span className={styles.soft}>{kernel.affecting > 0 ? 'none known' : ''}</span>
        )}
      </td>
      {keys.map((key) => {
        const one = byKey.get(key)
        const status = STATUS[one?.status ?? 'version_independent']
        return (
          <td key={key} className={styles.cell} data-tone={one ? status.tone : 'none'} title={status.words}>
            <span aria-hidden="true">{status.sign}</span>
            <span className="sr-only">{status.words}</span>
            {one && one.found_on > 0 && (
              <strong>
                <span aria-hidden="true">×{one.found_on}</span>
                <span className="sr-only">, found on {one.found_on} hosts</span>
              </strong>
            )}
          </td>
        )
      })}
    </tr>
  )
}

function hostWords({ listed_hosts: listed, case_hosts: ofCases }: KernelRead): string {
  const parts = [...(listed > 0 ? [`${listed.toLocaleString('en')} listed`] : []), ...(ofCases > 0 ? [`${ofCases.toLocaleString('en')} in cases`] : [])]
  return parts.join(', ')
}
