import { useId, useRef, useState } from 'react'
import { Button, useDismissal } from '../../ui'
import { CHOOSABLE, type ColumnName, DEFAULT_COLUMNS, HEADINGS, moveColumn, writeColumns } from './columns'
import styles from './columns.module.css'

type Props = { columns: readonly ColumnName[]; onColumns: (columns: readonly ColumnName[]) => void; tableHref: (format: 'csv' | 'json') => string }

/** Which columns the list shows, and in which order: checkboxes, and buttons or Alt with an arrow key to move one. */
export function ColumnMenu({ columns, onColumns, tableHref }: Props) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [said, setSaid] = useState('')
  useDismissal(box, isOpen, () => setIsOpen(false))
  const move = (name: ColumnName, by: number) => {
    const moved = moveColumn(columns, name, by)
    setSaid(`${HEADINGS[name]} is column ${moved.indexOf(name) + 1} of ${moved.length}`)
    onColumns(moved)
  }
  const rows = [...columns, ...CHOOSABLE.filter((name) => !columns.includes(name))]
  return (
    <div ref={box} className={styles.place}>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        Columns <span aria-hidden="true">▾</span>
      </Button>
      {isOpen && (
        <div id={id} className={styles.panel} role="group" aria-label="Columns">
          <ul>
            {rows.map((name) => {
              const at = columns.indexOf(name)
              return (
                <li key={name}>
                  <label>
                    <input
                      type="checkbox"
                      checked={at >= 0}
                      disabled={at >= 0 && columns.length === 1}
                      onChange={() => onColumns(at >= 0 ? columns.filter((one) => one !== name) : [...columns, name])}
                      onKeyDown={(event) => {
                        const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
                        if (!event.altKey || by === undefined || at < 0) return
                        event.preventDefault()
                        move(name, by)
                      }}
                    />
                    {HEADINGS[name]}
                  </label>
                  {at >= 0 && (
                    <>
                      <Button look="quiet" aria-label={`Move ${HEADINGS[name]} up`} disabled={at === 0} onClick={() => move(name, -1)}>
                        ↑
                      </Button>
                      <Button look="quiet" aria-label={`Move ${HEADINGS[name]} down`} disabled={at === columns.length - 1} onClick={() => move(name, 1)}>
                        ↓
                      </Button>
                    </>
                  )}
                </li>
              )
            })}
          </ul>
          <span className="sr-only" role="status">
            {said}
          </span>
          <div className={styles.actions}>
            <Button disabled={writeColumns(columns) === undefined} onClick={() => onColumns(DEFAULT_COLUMNS)}>
              Reset
            </Button>
            <a href={tableHref('csv')} download>
              CSV
            </a>
            <a href={tableHref('json')} download>
              JSON
            </a>
          </div>
        </div>
      )}
    </div>
  )
}
