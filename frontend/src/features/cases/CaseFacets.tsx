import { useState } from 'react'
import type { CaseFacet } from '../../api'
import { Button } from '../../ui'
import { hasTerm, toggleTerm } from './queryText'
import styles from './query.module.css'

type Props = { facets: readonly CaseFacet[]; total: number; counted: number; query: string; onQuery: (query: string) => void }

const FIRST = 5
const TITLES: Record<string, string> = { class: 'Log class', finding: 'Finding', distro: 'Distribution' }

/** The most frequent values of the found cases; one adds its term to the query, or removes it. */
export function CaseFacets({ facets, total, counted, query, onQuery }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const shown = facets.filter(({ field, values }) => field !== 'problem' && (values.length > 1 || values.some(({ term }) => hasTerm(query, term))))
  if (shown.length === 0) return <aside className={styles.facets} aria-label="Filters" />
  return (
    <aside className={styles.facets} aria-label="Filters" data-open={isOpen || undefined}>
      <Button className={styles.facetsButton} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        Filters <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </Button>
      {counted < total && <p className={styles.counted}>Counts of the newest {counted.toLocaleString('en')}</p>}
      {shown.map((facet) => (
        <FacetGroup key={facet.field} facet={facet} query={query} onQuery={onQuery} />
      ))}
    </aside>
  )
}

function FacetGroup({ facet: { field, values }, query, onQuery }: { facet: CaseFacet } & Pick<Props, 'query' | 'onQuery'>) {
  const [isLong, setIsLong] = useState(false)
  const title = TITLES[field] ?? field.charAt(0).toUpperCase() + field.slice(1)
  return (
    <div role="group" aria-label={title} className={styles.group}>
      <h3>{title}</h3>
      <ul>
        {values.slice(0, isLong ? values.length : FIRST).map(({ value, count, term }) => (
          <li key={value}>
            <button type="button" className={styles.facet} aria-pressed={hasTerm(query, term)} title={value} onClick={() => onQuery(toggleTerm(query, term))}>
              <span>{value}</span> <span className={styles.count}>{count.toLocaleString('en')}</span>
            </button>
          </li>
        ))}
      </ul>
      {values.length > FIRST && (
        <button type="button" className={styles.more} onClick={() => setIsLong(!isLong)}>
          {isLong ? 'Fewer' : `${values.length - FIRST} more`}
        </button>
      )}
    </div>
  )
}
