import type { ReactNode } from 'react'
import type { Facet, LibraryResult } from '../../api'
import { Segments, Tag } from '../../ui'
import styles from './shelves.module.css'
import { type Shelf, shelvesOf, storiesOf } from './shelves'
import { StoryList } from './StoryList'

type Props = {
  results: readonly LibraryResult[]
  areas: readonly Facet[]
  symptoms: readonly Facet[]
  by: Shelf
  onBy: (by: Shelf) => void
  linkTo: (kind: string, key: string, text: ReactNode) => ReactNode
}

const ORDERS = [
  { value: 'area', label: 'By area' },
  { value: 'symptom', label: 'By symptom' },
  { value: 'story', label: 'Stories' },
] as const

/** The library without a query: signatures on shelves by area or symptom, or the stories of all of them. */
export function Shelves({ results, areas, symptoms, by, onBy, linkTo }: Props) {
  const signatures = results.filter((result) => result.kind === 'signature')
  const stories = results.filter((result) => result.kind === 'story')
  if (by === 'story') {
    return (
      <div className={styles.shelves} data-testid="shelves" data-by={by}>
        <section aria-label="Stories">
          <div className={styles.head}>
            <h2>Stories ({storiesOf(results).length})</h2>
            <Segments label="Shelves" value={by} options={ORDERS} onChange={onBy} />
          </div>
          <StoryList stories={storiesOf(results)} linkTo={linkTo} />
        </section>
      </div>
    )
  }
  return (
    <div className={styles.shelves} data-testid="shelves" data-by={by}>
      {stories.length > 0 && (
        <section aria-label="Stories">
          <h2>Stories of your team ({stories.length})</h2>
          <Entries results={stories} linkTo={linkTo} />
        </section>
      )}
      {signatures.length > 0 && (
        <section aria-label="Signatures">
          <div className={styles.head}>
            <h2>Signatures ({signatures.length})</h2>
            <Segments label="Shelves" value={by} options={ORDERS} onChange={onBy} />
          </div>
          {shelvesOf(signatures, by, by === 'area' ? areas : symptoms).map((shelf) => (
            <section key={shelf.value} className={styles.shelf} aria-label={shelf.title} data-shelf={shelf.value}>
              <h3>
                {shelf.title} <span className={styles.soft}>{shelf.results.length}</span>
              </h3>
              <Entries results={shelf.results} linkTo={linkTo} />
            </section>
          ))}
        </section>
      )}
    </div>
  )
}

function Entries({ results, linkTo }: Pick<Props, 'linkTo'> & { results: readonly LibraryResult[] }) {
  return (
    <ul>
      {results.map((result) => (
        <li key={result.key} className={styles.entry} data-testid="library-result" data-key={result.key}>
          <p>
            {linkTo(result.kind, result.key, result.title.map((part) => part.text).join(''))}{' '}
            {(result.severity === 'critical' || result.severity === 'high') && <Tag tone="match">{result.severity}</Tag>} {result.status === 'draft' && <Tag>draft</Tag>}
          </p>
          {result.symptoms.length > 0 && <p className={styles.soft}>{result.symptoms.slice(0, 3).join(' · ')}</p>}
        </li>
      ))}
    </ul>
  )
}
