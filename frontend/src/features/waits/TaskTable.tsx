import { useState } from 'react'
import type { BlockedTask } from '../../api'
import { Button } from '../../ui'
import { Cited, type Show } from './Cited'
import styles from './waits.module.css'

const FIRST = 50

type Props = { tasks: readonly BlockedTask[]; total: number; onShow: Show }

/** The blocked tasks, the longest wait first. */
export function TaskTable({ tasks, total, onShow }: Props) {
  const [isWhole, setIsWhole] = useState(false)
  const sorted = tasks.toSorted((a, b) => (b.blocked_seconds ?? 0) - (a.blocked_seconds ?? 0))
  const shown = isWhole ? sorted : sorted.slice(0, FIRST)
  const hasSeveral = tasks.some(({ snapshots }) => snapshots > 1)
  return (
    <>
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Blocked tasks">
        <table className={styles.table} data-testid="blocked-tasks">
          <thead>
            <tr>
              <th scope="col">Task</th>
              <th scope="col">State</th>
              <th scope="col" className={styles.number}>
                Blocked, at least
              </th>
              <th scope="col">Waits for</th>
              {hasSeveral && <th scope="col">Same place in</th>}
              <th scope="col">Lines</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((task) => (
              <tr key={task.tid}>
                <th scope="row">
                  {task.comm || 'task'}:{task.tid}
                </th>
                <td>{task.state || '?'}</td>
                <td className={styles.number}>{task.blocked_seconds === null ? '–' : `${task.blocked_seconds.toLocaleString('en')} s`}</td>
                <td>{task.waits_for || 'unknown'}</td>
                {hasSeveral && (
                  <td>
                    {task.same_place} of {task.snapshots} {task.snapshots === 1 ? 'snapshot' : 'snapshots'}
                  </td>
                )}
                <td>{task.citations[0] && <Cited citation={task.citations[0]} onShow={onShow} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sorted.length > shown.length && <Button onClick={() => setIsWhole(true)}>Show {sorted.length - shown.length} more</Button>}
      {total > tasks.length && <p className={styles.soft}>The table has {tasks.length.toLocaleString('en')} of {total.toLocaleString('en')} blocked tasks; the graph has all in clusters.</p>}
    </>
  )
}
