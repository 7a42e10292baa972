import { useEffect, useRef } from 'react'
import { useTop } from '../../api'
import { format } from '../../profile'
import { Notice, Segments } from '../../ui'
import graph from './flamegraph.module.css'
import styles from './functions.module.css'
import type { GraphState } from './types'

/** The table view has the others. */
const LISTED = 30

type Order = 'self' | 'total'
type Props = {
  profileId: string
  selection: GraphState['selection']
  order: Order
  /** The function of the selected frame, or empty. */
  selected: string
  onOrder: (order: Order) => void
  onFunction: (name: string) => void
  onSandwich: (name: string) => void
}

/** The heaviest functions beside the graph: a click highlights their frames, a selected frame marks its row. Hidden where the graph is narrow. */
export function FunctionList({ profileId, selection, order, selected, onOrder, onFunction, onSandwich }: Props) {
  const top = useTop(profileId, { sort: order, q: '', offset: 0 }, selection)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  return (
    <section className={styles.functions} aria-label="Heaviest functions" data-testid="function-list">
      <header className={styles.head}>
        <h3>Functions</h3>
        <Segments
          label="Order of functions"
          value={order}
          options={[
            { value: 'self', label: 'Self', hint: 'By weight of the function itself' },
            { value: 'total', label: 'Total', hint: 'By weight with its callees' },
          ]}
          onChange={onOrder}
        />
      </header>
      {top.error ? (
        <Notice what="The functions could not be loaded." retry={() => void top.refetch()}>
          {top.error.message}
        </Notice>
      ) : top.data ? (
        <ul ref={list} className={styles.list}>
          {top.data.items.slice(0, LISTED).map((item) => (
            <li key={`${item.name} ${item.module}`} data-selected={item.name === selected || undefined}>
              <button type="button" className={styles.name} title={`Highlight ${item.name}`} onClick={() => onFunction(item.name)}>
                <span className={styles.share}>{format.share(order === 'self' ? item.self_share : item.total_share)}</span>
                <code>{item.name}</code>
              </button>
              <button type="button" className={styles.sandwich} aria-label={`Callers and callees of ${item.name}`} title="Callers and callees" onClick={() => onSandwich(item.name)}>
                ⇅
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <div className={graph.shimmer} role="status" aria-label="Loading the functions" />
      )}
    </section>
  )
}
