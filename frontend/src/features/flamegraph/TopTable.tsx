import { useMemo, useState } from 'react'
import { asKind, type FrameWeights, format, frameWeights, type Graph, KIND_WORDS } from '../../profile'
import styles from './flamegraph.module.css'

const MOST_ROWS = 300
type Column = 'self' | 'total'
type Props = { graph: Graph; matched: Uint8Array | null; onPick: (name: string) => void }

/** Functions by self or total weight, whoever called them. */
export function TopTable({ graph, matched, onPick }: Props) {
  const [by, setBy] = useState<Column>('self')
  const rows = useMemo(() => {
    const all = frameWeights(graph).filter((row) => !matched || matched[row.frame] === 1)
    return all.toSorted((a, b) => b[by] - a[by] || a.name.localeCompare(b.name)).slice(0, MOST_ROWS)
  }, [graph, matched, by])
  const heading = (column: Column, words: string) => (
    <th scope="col" aria-sort={by === column ? 'descending' : 'none'} className={styles.number}>
      <button type="button" className={styles.sort} onClick={() => setBy(column)}>
        {words}
        {by === column && <span aria-hidden="true"> ↓</span>}
      </button>
    </th>
  )
  return (
    <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Functions">
      <table className={styles.table} data-testid="top-table">
        <thead>
          <tr>
            {heading('self', 'Self')}
            {heading('total', 'Total')}
            <th scope="col">Function</th>
            <th scope="col">Kind</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.frame} row={row} graph={graph} onPick={onPick} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ row, graph, onPick }: { row: FrameWeights; graph: Graph; onPick: (name: string) => void }) {
  const whole = graph.columns.total_weight || 1
  return (
    <tr>
      <Weight value={row.self} whole={whole} unit={graph.columns.unit} />
      <Weight value={row.total} whole={whole} unit={graph.columns.unit} />
      <td>
        <button type="button" className={styles.functionName} title="Show it in the flame graph" onClick={() => onPick(row.name)}>
          {row.name}
        </button>
      </td>
      <td className={styles.soft}>{KIND_WORDS[asKind(row.kind)]}</td>
    </tr>
  )
}

function Weight({ value, whole, unit }: { value: number; whole: number; unit: string }) {
  return (
    <td className={styles.number} title={format.weight(value, unit)}>
      {value > 0 ? format.share(value / whole) : '–'}
    </td>
  )
}
