import { useMemo } from 'react'
import type { Fact } from '../../api'
import { format } from '../../profile'
import styles from './compare.module.css'
import { factPairs, factText } from './facts'

const MOST_ROWS = 200
type Props = { a: readonly Fact[]; b: readonly Fact[]; isOneCase: boolean; wanted: string; onWanted: (wanted: string) => void }

/** What else differs: facts of both sides, the most changed first. */
export function FactTable({ a, b, isOneCase, wanted, onWanted }: Props) {
  const pairs = useMemo(() => factPairs(a, b), [a, b])
  const shown = pairs.filter(({ name, labels }) => `${name} ${labels}`.includes(wanted.trim()))
  return (
    <section className={styles.facts} aria-labelledby="facts">
      <header className={styles.factHead}>
        <h2 id="facts">Facts that differ</h2>
        <span className={styles.soft}>
          {format.count(pairs.length)} of the facts {isOneCase ? 'in the two folders' : 'of the two cases'}, the most changed first
        </span>
        <input className={styles.search} type="search" placeholder="part of a name" aria-label="Facts whose name holds" value={wanted} onChange={(event) => onWanted(event.target.value)} />
      </header>
      {shown.length === 0 ? (
        <p className={styles.soft}>{pairs.length === 0 ? 'No fact differs, or none was read.' : 'No such fact differs.'}</p>
      ) : (
        <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Table of facts">
          <table className={styles.table} data-testid="fact-table">
            <thead>
              <tr>
                <th scope="col">Fact</th>
                <th scope="col">A</th>
                <th scope="col">B</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, MOST_ROWS).map((pair) => (
                <tr key={`${pair.name} ${pair.labels}`}>
                  <th scope="row">
                    <code>{pair.name}</code> <span className={styles.soft}>{pair.labels}</span>
                  </th>
                  <td>{factText(pair.a, pair.unit)}</td>
                  <td>{factText(pair.b, pair.unit)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {shown.length > MOST_ROWS && <p className={styles.soft}>{format.count(shown.length - MOST_ROWS)} more; name a part of what you look for.</p>}
    </section>
  )
}
