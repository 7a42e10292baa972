import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Search } from '../../profile'
import { Button, useKeys } from '../../ui'
import { SearchBox } from './SearchBox'
import styles from './toolbar.module.css'
import type { GraphState } from './types'

type Props = {
  state: GraphState
  result: Search
  views: ReactNode
  downloads: ReactNode
  /** The filters, opened by a button that states how many are active. */
  filters: ReactNode
  filterCount: number
  onChange: (change: Partial<GraphState>) => void
  onNext: (by: 1 | -1) => void
}

/** View switch, filters, search, downloads and full-page mode, in one row of fixed height; filters and search open over the graph. */
export function Toolbar({ state, result, views, downloads, filters, filterCount, onChange, onNext }: Props) {
  const [opened, setOpened] = useState<'filters' | 'search' | null>(null)
  const box = useRef<HTMLDivElement>(null)
  useKeys({ '/': () => setOpened('search'), F: () => setOpened(opened === 'filters' ? null : 'filters') })
  useEffect(() => {
    if (opened !== 'filters') return
    const closeOutside = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpened(null)
    }
    const closeByKey = (event: KeyboardEvent) => event.key === 'Escape' && setOpened(null)
    window.addEventListener('pointerdown', closeOutside, true)
    window.addEventListener('keydown', closeByKey)
    return () => {
      window.removeEventListener('pointerdown', closeOutside, true)
      window.removeEventListener('keydown', closeByKey)
    }
  }, [opened])
  const isSearching = opened === 'search' || state.q !== ''
  return (
    <div ref={box} className={styles.bar}>
      <div className={styles.row} role="toolbar" aria-label="Graph">
        {views}
        <Button aria-expanded={opened === 'filters'} data-primary={filterCount > 0 || undefined} title="Filters (F)" onClick={() => setOpened(opened === 'filters' ? null : 'filters')}>
          {filterCount > 0 ? `Filters: ${filterCount}` : 'Filters'}
        </Button>
        <Button aria-expanded={isSearching} title="Search function names (/)" onClick={() => (isSearching ? (setOpened(null), onChange({ q: '' })) : setOpened('search'))}>
          Search
        </Button>
        {downloads}
        <Button aria-pressed={state.isWide} title="Full page (w)" onClick={() => onChange({ isWide: !state.isWide })}>
          {state.isWide ? 'Back to the case' : 'Enlarge'}
        </Button>
      </div>
      {opened === 'filters' && <div className={styles.overlay}>{filters}</div>}
      {isSearching && opened !== 'filters' && (
        <div className={styles.overlay} data-at-end>
          <SearchBox state={state} result={result} hasFocus={opened === 'search'} onChange={onChange} onNext={onNext} onClose={() => setOpened(null)} onOpen={() => setOpened('search')} />
        </div>
      )}
    </div>
  )
}
