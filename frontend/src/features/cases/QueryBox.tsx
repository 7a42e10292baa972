import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Problem, useCompletion } from '../../api'
import { useKeys } from '../../ui'
import { columnOf, complete } from './queryText'
import styles from './query.module.css'

type Props = { query: string; onQuery: (query: string) => void; error: Error | null }

/** Query for cases with completion of fields and values; `/` focuses it, arrows choose, Enter or Tab takes a suggestion. */
export function QueryBox({ query, onQuery, error }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [cursor, setCursor] = useState<number | null>(null)
  const [active, setActive] = useState(-1)
  const nextCursor = useRef<number | null>(null)
  const completion = useCompletion(query, cursor)
  const items = cursor === null ? [] : (completion.data?.items ?? []).filter(({ text }) => text !== query.slice(completion.data?.start, completion.data?.end))
  useKeys({ '/': () => input.current?.focus() })
  useEffect(() => {
    if (nextCursor.current === null) return
    input.current?.setSelectionRange(nextCursor.current, nextCursor.current)
    setCursor(nextCursor.current)
    nextCursor.current = null
  }, [query])
  const follow = () => {
    setCursor(input.current?.selectionStart ?? null)
    setActive(-1)
  }
  const take = (text: string) => {
    if (!completion.data) return
    const next = complete(query, completion.data, text)
    nextCursor.current = next.cursor
    setActive(-1)
    onQuery(next.query)
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    const chosen = items[active]
    if (event.key === 'ArrowDown' && items.length > 0) setActive((active + 1) % items.length)
    else if (event.key === 'ArrowUp' && items.length > 0) setActive(active <= 0 ? items.length - 1 : active - 1)
    else if ((event.key === 'Enter' || event.key === 'Tab') && chosen) take(chosen.text)
    else if (event.key === 'Escape' && cursor !== null) setCursor(null)
    else return
    event.preventDefault()
  }
  const refused = error instanceof Problem && error.status === 422 ? error : null
  const column = refused && columnOf(refused.message)
  return (
    <div className={styles.box}>
      <input
        ref={input}
        type="search"
        role="combobox"
        className={styles.input}
        placeholder="Search: words, host:db7, finding:memcg-oom, line:&quot;out of memory&quot;"
        aria-label="Search cases"
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        aria-invalid={refused !== null}
        aria-describedby={refused ? `${id}-error` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={1000}
        value={query}
        onChange={(event) => {
          onQuery(event.target.value)
          setCursor(event.target.selectionStart)
          setActive(-1)
        }}
        onFocus={follow}
        onClick={follow}
        onBlur={() => setCursor(null)}
        onKeyDown={press}
        onKeyUp={(event) => {
          if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') follow()
        }}
      />
      <div id={`${id}-list`} role="listbox" tabIndex={-1} aria-label="Suggestions" className={styles.list} hidden={items.length === 0}>
        {items.map(({ text, says, count }, index) => (
          // The input keeps the focus: a press on a suggestion must not blur it.
          <button type="button" tabIndex={-1} key={text} id={`${id}-${index}`} role="option" aria-selected={index === active} className={styles.option} onMouseDown={(event) => event.preventDefault()} onClick={() => take(text)}>
            <code>{text}</code>
            <span className={styles.says}>{says}</span>
            {count !== null && <span className={styles.count}>{count}</span>}
          </button>
        ))}
      </div>
      {refused && (
        <p id={`${id}-error`} className={styles.error} role="status">
          {column !== null && (
            <span aria-hidden="true" className={styles.pointer}>
              {query.slice(0, column - 1)}
              <mark>{query.slice(column - 1, column + 11) || '␣'}</mark>
            </span>
          )}
          {refused.message}
        </p>
      )}
    </div>
  )
}
