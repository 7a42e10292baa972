import { type NamedFunction, TOP_ROWS, useTop } from '../../api'
import { asKind, exactly, format, KIND_LABELS } from '../../profile'
import { Button, Notice } from '../../ui'
import styles from './flamegraph.module.css'
import type { GraphState, TableOrder } from './types'

/** `onFunction` replaces the flame graph as the target of a name. */
type Props = { profileId: string; state: GraphState; onChange: (change: Partial<GraphState>) => void; onFunction?: (name: string) => void }

/** All functions of the selection by self or total weight, paginated. */
export function TopTable({ profileId, state, onChange, onFunction }: Props) {
  const { sort: by, offset } = state
  const response = useTop(profileId, { sort: by, q: state.q ? `/${serverPattern(state.q)}/` : '', offset }, state.selection)
  const top = response.data
  if (response.error) {
    return (
      <Notice what="The table could not be loaded." retry={() => void response.refetch()}>
        {response.error.message}
      </Notice>
    )
  }
  if (!top) return <div className={styles.shimmer} role="status" aria-label="Loading the table" />
  const heading = (column: TableOrder, label: string) => (
    <th scope="col" aria-sort={by !== column ? 'none' : column === 'name' ? 'ascending' : 'descending'} className={column === 'name' ? undefined : styles.number}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => onChange({ sort: column })}
      >
        {label}
        {by === column && <span aria-hidden="true"> {column === 'name' ? '↑' : '↓'}</span>}
      </button>
    </th>
  )
  const last = Math.min(top.offset + top.items.length, top.count)
  return (
    <>
      <div className={styles.tableBox} tabIndex={0} role="region" aria-label="Functions">
        <table className={styles.table} data-testid="top-table">
          <thead>
            <tr>
              {heading('self', 'Self')}
              <th scope="col" className={styles.number}>
                {top.unit.startsWith('period:') ? 'Weight' : top.unit}
              </th>
              {heading('total', 'Total')}
              {heading('name', 'Function')}
              <th scope="col">Kind</th>
              <th scope="col">Module</th>
            </tr>
          </thead>
          <tbody>
            {top.items.map((item) => (
              <Row key={`${item.name} ${item.module}`} item={item} unit={top.unit} onChange={onChange} onFunction={onFunction} />
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.pages}>
        {top.count === 0 ? 'No matching functions.' : `${format.count(top.offset + 1)}–${format.count(last)} of ${format.count(top.count)} functions`}
        {top.matched && ` · matches in ${format.share(top.matched.share)} of the weight`}
        {top.count > TOP_ROWS && (
          <>
            <Button look="quiet" disabled={offset === 0} onClick={() => onChange({ offset: Math.max(0, offset - TOP_ROWS) })}>
              ‹ Previous
            </Button>
            <Button look="quiet" disabled={last >= top.count} onClick={() => onChange({ offset: offset + TOP_ROWS })}>
              Next ›
            </Button>
          </>
        )}
      </p>
    </>
  )
}

/** Smart case: case-insensitive unless the pattern has upper-case letters; the server's expressions are case-sensitive. */
function serverPattern(pattern: string): string {
  return /[A-Z]/.test(pattern.replace(/\\./g, '')) ? pattern : `(?i)${pattern}`
}

function Row({ item, unit, onChange, onFunction }: { item: NamedFunction; unit: string; onChange: Props['onChange']; onFunction: ((name: string) => void) | undefined }) {
  const show = onFunction ?? ((name: string) => onChange({ look: 'flame', q: exactly(name), node: null }))
  return (
    <tr>
      <Share value={item.self_share} />
      <td className={styles.number}>{item.self > 0 ? format.weight(item.self, unit) : '–'}</td>
      <Share value={item.total_share} title={format.weight(item.total, unit)} />
      <td>
        <span className={styles.functionCell}>
          <button type="button" className={styles.functionName} title={onFunction ? 'Callers and callees' : 'Show it in the flame graph'} onClick={() => show(item.name)}>
            {item.name}
          </button>
          <button type="button" className={styles.sandwichButton} aria-label={`Callers and callees of ${item.name}`} title="Callers and callees" onClick={() => onChange({ look: 'sandwich', of: item.name })}>
            ⇅
          </button>
        </span>
      </td>
      <td className={styles.soft}>{KIND_LABELS[asKind(item.kind)]}</td>
      <td className={styles.soft} title={item.module}>
        {item.module.split('/').at(-1)}
      </td>
    </tr>
  )
}

function Share({ value, title }: { value: number; title?: string }) {
  return (
    <td className={styles.number} title={title}>
      <span className={styles.bar} style={{ width: `${Math.min(100, value * 100)}%` }} aria-hidden="true" />
      <span className={styles.onBar}>{value > 0 ? format.share(value) : '–'}</span>
    </td>
  )
}
