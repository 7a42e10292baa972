import { type ReactNode, useRef } from 'react'
import type { Profile, StackOrder } from '../../api'
import { format, type Search } from '../../profile'
import { Button, Segments, useKeys } from '../../ui'
import styles from './flamegraph.module.css'
import type { GraphState } from './types'

type Props = { profile: Profile; state: GraphState; found: Search; picker: ReactNode; onChange: (change: Partial<GraphState>) => void; onNext: (by: 1 | -1) => void }

/** How the graph is drawn, and the search. */
export function Toolbar({ profile, state, found, picker, onChange, onNext }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => input.current?.focus() })
  const orders: { value: StackOrder; label: string; hint: string }[] = [
    { value: 'left-heavy', label: 'Left-heavy', hint: 'Callees by weight' },
    { value: 'alpha', label: 'A–Z', hint: 'Callees by name' },
    ...(profile.is_ordered ? [{ value: 'time' as const, label: 'Time', hint: 'Callees in the order in which they were first seen' }] : []),
  ]
  return (
    <div className={styles.toolbar}>
      {picker}
      {state.look !== 'table' && <Segments label="Order of callees" value={state.order} options={orders} onChange={(order) => onChange({ order })} />}
      {state.look !== 'table' && (
        <Button aria-pressed={state.inverted} data-primary={state.inverted || undefined} onClick={() => onChange({ inverted: !state.inverted, zoom: null, node: null })}>
          Inverted
        </Button>
      )}
      {state.zoom !== null && <Button onClick={() => onChange({ zoom: null })}>Whole graph</Button>}
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
      <span className={styles.matched} role="status" data-testid="search-result">
        {found.error || (found.match && `${format.share(found.match.share)} of the weight, ${found.match.frameCount} functions`)}
      </span>
      {found.match && found.match.frameCount > 0 && state.look !== 'table' && (
        <>
          <Button look="quiet" aria-label="Previous match" title="N" onClick={() => onNext(-1)}>
            ‹
          </Button>
          <Button look="quiet" aria-label="Next match" title="n" onClick={() => onNext(1)}>
            ›
          </Button>
        </>
      )}
      <Button className={styles.atEnd} aria-pressed={state.isWide} title="The graph alone, over the whole page (w)" onClick={() => onChange({ isWide: !state.isWide })}>
        {state.isWide ? 'Back to the case' : 'Enlarge'}
      </Button>
    </div>
  )
}
