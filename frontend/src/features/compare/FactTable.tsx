import { useMemo } from 'react'
import type { Fact } from '../../api'
import { format } from '../../profile'
import { DataTable } from '../../ui'
import styles from './compare.module.css'
import { factPairs, factText } from './facts'

const MAX_ROWS = 200
type Props = { a: readonly Fact[]; b: readonly Fact[]; isOneCase: boolean; query: string; onQuery: (query: string) => void }

/** The facts that differ between A and B, largest change first. */
export function FactTable({ a, b, isOneCase, query, onQuery }: Props) {
  const pairs = useMemo(() => factPairs(a, b), [a, b])
  const shown = pairs.filter(({ name, labels }) => `${name} ${labels}`.includes(query.trim()))
  return (
    <section className={styles.facts} aria-labelledby="facts">
      <header className={styles.factHead}>
        <h2 id="facts">Facts that differ</h2>
        <span className={styles.soft}>
          {format.count(pairs.length)} facts {isOneCase ? 'of the two folders' : 'of the two cases'}, largest change first
        </span>
        <input className={styles.search} type="search" placeholder="Filter by name" aria-label="Filter facts by name" value={query} onChange={(event) => onQuery(event.target.value)} />
      </header>
      {shown.length === 0 ? (
        <p className={styles.soft}>{pairs.length === 0 ? 'No facts differ.' : 'No matching facts.'}</p>
      ) : (
        <DataTable label="Table of facts" columns={['Fact', 'A', 'B']} testId="fact-table">
          {shown.slice(0, MAX_ROWS).map((pair) => (
            <tr key={`${pair.name} ${pair.labels}`}>
              <th scope="row">
                <code>{pair.name}</code> <span className={styles.soft}>{pair.labels}</span>
              </th>
              <td>{factText(pair.a, pair.unit)}</td>
              <td>{factText(pair.b, pair.unit)}</td>
            </tr>
          ))}
        </DataTable>
      )}
      {shown.length > MAX_ROWS && <p className={styles.soft}>{format.count(shown.length - MAX_ROWS)} more; filter by name to see them.</p>}
    </section>
  )
}
