import { type Ref, useEffect, useRef, useState } from 'react'
import { Button } from '../../ui'
import styles from './library.module.css'
import { isPaste, LONGEST_PASTE } from './search'

type Props = { ref: Ref<HTMLTextAreaElement>; asked: string; onAsked: (asked: string) => void; onDown: () => void }

const REST_MS = 250

/** One box for words and for pastes: asked when the typing rests, at once on Enter or after a paste. */
export function SearchBox({ ref, asked, onAsked, onDown }: Props) {
  const [draft, setDraft] = useState(asked)
  const [last, setLast] = useState(asked)
  const [sent, setSent] = useState(asked)
  const waiting = useRef<number>(undefined)
  if (asked !== last) {
    setLast(asked)
    // Back, or a link, asked something else than was sent from here.
    if (asked !== sent) setDraft(asked)
  }
  useEffect(() => () => window.clearTimeout(waiting.current), [])
  const ask = (text: string, after: number) => {
    window.clearTimeout(waiting.current)
    waiting.current = window.setTimeout(() => {
      setSent(text)
      onAsked(text)
    }, after)
  }
  const rows = Math.min(draft.split('\n').length, 10)
  return (
    <div className={styles.box}>
      <textarea
        ref={ref}
        className={styles.search}
        rows={rows}
        value={draft}
        maxLength={LONGEST_PASTE}
        spellCheck={false}
        data-paste={isPaste(draft) || undefined}
        aria-label="Search the library"
        aria-describedby="library-hint"
        placeholder="ps hangs"
        onChange={(event) => {
          setDraft(event.target.value)
          ask(event.target.value, (event.nativeEvent as InputEvent).inputType === 'insertFromPaste' ? 0 : REST_MS)
        }}
        onKeyDown={(event) => {
          const isWords = !draft.includes('\n')
          if (event.key === 'Enter' && !event.shiftKey && isWords) {
            event.preventDefault()
            ask(draft, 0)
          } else if (event.key === 'ArrowDown' && isWords) {
            event.preventDefault()
            onDown()
          } else if (event.key === 'Escape') {
            setDraft('')
            ask('', 0)
          }
        }}
      />
      {draft !== '' && (
        <Button
          onClick={() => {
            setDraft('')
            ask('', 0)
          }}
        >
          Clear
        </Button>
      )}
      <p id="library-hint" className={styles.hint}>
        A symptom, a function, a line of a log; or paste or drop a whole stack, a screen of <code>perf top</code>, a piece of <code>dmesg</code>. <kbd>/</kbd> to type, <kbd>↓</kbd> to the answers.
      </p>
    </div>
  )
}
