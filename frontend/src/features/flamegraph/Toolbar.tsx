import { type ReactNode, useRef } from 'react'
import { format, type Search } from '../../profile'
import { Button, useKeys } from '../../ui'
import styles from './flamegraph.module.css'
import type { GraphState } from './types'

type Props = { state: GraphState; found: Search; views: ReactNode; downloads: ReactNode; onChange: (change: Partial<GraphState>) => void; onNext: (by: 1 | -1) => void }

/** Which view, of which profile; the search; and what is done with all of it. */
export function Toolbar({ state, found, views, downloads, onChange, onNext }: Props) {
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
          aria-invalid={found.error !== ''}
          value={state.q}
          spellCheck={false}
          onChange={(event) => onChange({ q: event.target.value })}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
            if (event.key === 'Enter') onNext(event.shiftKey ? -1 : 1)
          }}
        />
        {found.match && found.match.frameCount > 0 && isStacks && (
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
          {found.error || (found.match && `${format.share(found.match.share)} of the weight, ${found.match.frameCount} functions`)}
        </span>
      </span>
      <span className={styles.atEnd}>
        {downloads}
        <Button aria-pressed={state.isWide} title="The graph alone, over the whole page (w)" onClick={() => onChange({ isWide: !state.isWide })}>
          {state.isWide ? 'Back to the case' : 'Enlarge'}
        </Button>
      </span>
    </div>
  )
}
