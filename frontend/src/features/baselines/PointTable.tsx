import type { BaselineTrend } from '../../api'
import { Button, DataTable, Tag } from '../../ui'
import { growthText, pointName, valueText } from './trend'

const COLUMNS = ['A', 'B', 'Commit', 'Measured (UTC)', 'Runs', 'Value', 'Change'] as const

type Props = { trend: BaselineTrend; a: string | undefined; b: string | undefined; onSides: (sides: { a?: string; b?: string }) => void; onDelete: ((id: string) => void) | null }

/** The points, latest first, with the choice of those to compare. */
export function PointTable({ trend, a, b, onSides, onDelete }: Props) {
  const growths = new Map(trend.changes.map(({ at, growth }) => [at, growth]))
  const rows = trend.trend.map((point, at) => ({ point, growth: growths.get(at) })).toReversed()
  return (
    <DataTable label="Points" columns={onDelete ? [...COLUMNS, { name: 'Delete', isHidden: true }] : COLUMNS} testId="points">
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
    </DataTable>
  )
}
