import type { ReactNode } from 'react'
import styles from './DataTable.module.css'

/** A column by its heading; `isHidden` leaves the heading to screen readers. */
type Column = string | { name: string; isHidden: true }
type Props = { label: string; columns: readonly Column[]; testId?: string; children: ReactNode }

/** A compact table in a scrolling box with fixed headings; the children are its rows. */
export function DataTable({ label, columns, testId, children }: Props) {
  return (
    <div className={styles.box} tabIndex={0} role="region" aria-label={label}>
      <table className={styles.table} data-testid={testId}>
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column.name} scope="col">
                  <span className="sr-only">{column.name}</span>
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  )
}
