import { type Ref, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui'
import styles from './library.module.css'
import { isPaste, MAX_PASTE_CHARS } from './search'

type Props = { ref: Ref<HTMLTextAreaElement>; query: string; onQuery: (query: string) => void; onDown: () => void }

const DEBOUNCE_MS = 250

/** Search input for words and pasted text: debounced while typing, immediate on Enter and paste. */
export function SearchBox({ ref, query, onQuery, onDown }: Props) {
  const [draft, setDraft] = useState(query)
  const [last, setLast] = useState(query)
  const [sent, setSent] = useState(query)
  const timer = useRef<number>(undefined)
  if (query !== last) {
    setLast(query)
    // Navigation changed the query.
    if (query !== sent) setDraft(query)
  }
  useEffect(() => () => window.clearTimeout(timer.current), [])
  const search = (text: string, delayMs: number) => {
    window.clearTimeout(timer.current)
    timer.current = window.setTimeout(() => {
      setSent(text)
      onQuery(text)
    }, delayMs)
  }
  const rows = Math.min(draft.split('\n').length, 10)
  return (
    <div className={styles.box}>
      <textarea
        ref={ref}
        className={styles.search}
        rows={rows}
        value={draft}
        maxLength={MAX_PASTE_CHARS}
        spellCheck={false}
        data-paste={isPaste(draft) || undefined}
        aria-label="Search the library"
        aria-describedby="library-hint"
        placeholder="ps hangs"
        onChange={(event) => {
          setDraft(event.target.value)
          search(event.target.value, (event.nativeEvent as InputEvent).inputType === 'insertFromPaste' ? 0 : DEBOUNCE_MS)
        }}
        onKeyDown={(event) => {
          const isWords = !draft.includes('\n')
          if (event.key === 'Enter' && !event.shiftKey && isWords) {
            event.preventDefault()
            search(draft, 0)
          } else if (event.key === 'ArrowDown' && isWords) {
            event.preventDefault()
            onDown()
          } else if (event.key === 'Escape') {
            setDraft('')
            search('', 0)
          }
        }}
      />
      {draft !== '' && (
        <Button
          onClick={() => {
            setDraft('')
            search('', 0)
          }}
        >
          Clear
        </Button>
      )}
      <p id="library-hint" className={styles.hint}>
        A symptom, function or log line; or paste or drop a stack, <code>perf top</code> output or <code>dmesg</code> lines. <kbd>/</kbd> focuses the search, <kbd>↓</kbd> the results.
      </p>
    </div>
  )
}
