import { useEffect, useRef } from 'react'
import { format, type Search } from '../../profile'
import { Button, useKeys } from '../../ui'
import styles from './toolbar.module.css'
import type { GraphState } from './types'

type Props = { state: GraphState; result: Search; hasFocus: boolean; onChange: (change: Partial<GraphState>) => void; onNext: (by: 1 | -1) => void; onOpen: () => void; onClose: () => void }

/** The search of function names, above the graph; the pattern is in the URL. Escape leaves it, and removes it when it is empty. */
export function SearchBox({ state, result, hasFocus, onChange, onNext, onOpen, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [hasFocus])
  useKeys({ '/': () => input.current?.focus() })
  const isStacks = state.look === 'flame' || state.look === 'icicle'
  return (
    <span className={styles.finder}>
      <input
        ref={input}
        className={styles.search}
        type="search"
        placeholder="/regex"
        aria-label="Search function names by regular expression"
        aria-invalid={result.error !== ''}
        value={state.q}
        spellCheck={false}
        onChange={(event) => {
          onOpen()
          onChange({ q: event.target.value })
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') {
            event.currentTarget.blur()
            onClose()
          }
          if (event.key === 'Enter') onNext(event.shiftKey ? -1 : 1)
        }}
      />
      {result.match && result.match.frameCount > 0 && isStacks && (
        <>
          <Button look="quiet" aria-label="Previous match" title="N" onClick={() => onNext(-1)}>
            ‹
          </Button>
          <Button look="quiet" aria-label="Next match" title="n" onClick={() => onNext(1)}>
            ›
          </Button>
        </>
      )}
      <span className={styles.matched} role="status" data-testid="search-result">
        {result.error || (result.match && `${format.share(result.match.share)} of the weight, ${result.match.frameCount} functions`)}
      </span>
      <Button
        look="quiet"
        aria-label="End search"
        onClick={() => {
          onChange({ q: '' })
          onClose()
        }}
      >
        ×
      </Button>
    </span>
  )
}
