import type { BaselineTrend } from '../../api'
import { Button, Tag } from '../../ui'
import styles from './baselines.module.css'
import { growthText, pointName, valueText } from './trend'

type Props = { trend: BaselineTrend; a: string | undefined; b: string | undefined; onSides: (sides: { a?: string; b?: string }) => void; onDelete: ((id: string) => void) | null }

/** The points, latest first, with the choice of those to compare. */
export function PointTable({ trend, a, b, onSides, onDelete }: Props) {
  const growths = new Map(trend.changes.map(({ at, growth }) => [at, growth]))
  const rows = trend.trend.map((point, at) => ({ point, growth: growths.get(at) })).toReversed()
  return (
    <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Points">
      <table className={styles.table} data-testid="points">
        <thead>
          <tr>
            <th scope="col">A</th>
            <th scope="col">B</th>
            <th scope="col">Commit</th>
            <th scope="col">Measured (UTC)</th>
            <th scope="col">Runs</th>
            <th scope="col">Value</th>
            <th scope="col">Change</th>
            {onDelete && (
              <th scope="col">
                <span className={styles.hidden}>Delete</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ point, growth }) => (
            <tr key={point.id} data-side={point.id === a ? 'a' : point.id === b ? 'b' : undefined}>
              <td>
                <input type="radio" name="a" aria-label={`A: ${pointName(point)}`} checked={point.id === a} onChange={() => onSides({ a: point.id })} />
              </td>
              <td>
                <input type="radio" name="b" aria-label={`B: ${pointName(point)}`} checked={point.id === b} onChange={() => onSides({ b: point.id })} />
              </td>
              <th scope="row">
                <code>{pointName(point)}</code>
              </th>
              <td>{point.measured_at.slice(0, 16).replace('T', ' ')}</td>
              <td>{point.runs}</td>
              <td>{valueText(point.value, trend.unit)}</td>
              <td>{growth !== undefined && <Tag tone={growth > 0 ? 'match' : 'calm'}>{growthText(growth)}</Tag>}</td>
              {onDelete && (
                <td>
                  <Button look="quiet" aria-label={`Delete point ${pointName(point)}`} onClick={() => onDelete(point.id)}>
                    Delete
                  </Button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
