import { type ReactNode, useRef } from 'react'
import { format, type Search } from '../../profile'
import { Button, useKeys } from '../../ui'
import styles from './flamegraph.module.css'
import type { GraphState } from './types'

type Props = { state: GraphState; result: Search; views: ReactNode; downloads: ReactNode; onChange: (change: Partial<GraphState>) => void; onNext: (by: 1 | -1) => void }

/** View switch, search, downloads and full-page mode. */
export function Toolbar({ state, result, views, downloads, onChange, onNext }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => input.current?.focus() })
  const isStacks = state.look === 'flame' || state.look === 'icicle'
  return (
    <div className={styles.toolbar}>
      {views}
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
          onChange={(event) => onChange({ q: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
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
      </span>
      <span className={styles.atEnd}>
        {downloads}
        <Button aria-pressed={state.isWide} title="Full page (w)" onClick={() => onChange({ isWide: !state.isWide })}>
          {state.isWide ? 'Back to the case' : 'Enlarge'}
        </Button>
      </span>
    </div>
  )
}
