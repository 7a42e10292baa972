import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Field } from './Field'
import styles from './palette.module.css'
import type { Entry } from './rank'

type Props = { query: string; entries: readonly Entry[]; onQuery: (query: string) => void; onClose: () => void }

/** A field and the entries that answer it: arrows select, Enter runs, Escape closes. */
export function EntryList({ query, entries, onQuery, onClose }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [chosen, setChosen] = useState(0)
  const selected = Math.min(chosen, entries.length - 1)
  const idOf = (index: number) => `${id}-${index}`
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [selected])
  const run = (entry: Entry | undefined) => {
    if (!entry) return
    // First, so that the focus returns to the page before the action moves it.
    flushSync(onClose)
    entry.act()
  }
  const press = (event: KeyboardEvent) => {
    const last = entries.length - 1
    const to = { ArrowDown: selected >= last ? 0 : selected + 1, ArrowUp: selected <= 0 ? last : selected - 1, PageDown: Math.min(last, selected + 8), PageUp: Math.max(0, selected - 8) }[event.key]
    if (to === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (to === undefined) run(entries[selected])
    else setChosen(to)
  }
  const groups = [...new Set(entries.map(({ group }) => group))]
  return (
    <>
      <Field
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={entries.length > 0 ? idOf(selected) : undefined}
        value={query}
        onQuery={(text) => {
          onQuery(text)
          setChosen(0)
        }}
        onKeyDown={press}
      />
      <div ref={list} id={id} className={styles.list} role="listbox" aria-label="Results">
        {groups.map((group) => (
          <div key={group} role="group" aria-label={group}>
            <div className={styles.group} aria-hidden="true">
              {group}
            </div>
            {entries.map((entry, index) =>
              entry.group === group ? (
                <button key={entry.id} id={idOf(index)} type="button" className={styles.entry} role="option" aria-selected={index === selected} tabIndex={-1} onClick={() => run(entry)} onPointerMove={() => setChosen(index)}>
                  <span className={styles.label}>{entry.label}</span>
                  {entry.hint && <span className={styles.hint}>{entry.hint}</span>}
                </button>
              ) : null,
            )}
          </div>
        ))}
      </div>
      <p className={styles.count} role="status">
        {entries.length === 0 ? `Nothing is called "${query.trim()}".` : `${entries.length} ${entries.length === 1 ? 'result' : 'results'}`}
      </p>
    </>
  )
}
