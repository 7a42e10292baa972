import type { ReactNode } from 'react'
import type { LibraryResult } from '../../api'
import styles from './library.module.css'
import { ResultCard } from './ResultCard'
import { storiesOf } from './shelves'
import { StoryList } from './StoryList'

type Props = { results: readonly LibraryResult[]; linkTo: (kind: string, key: string, text: ReactNode) => ReactNode }

/** Stories of signatures that are shown. */
const MAX_STORIES = 6

/** Results in two groups, each best match first: signatures, and stories to read; the group of the best result leads. */
export function Results({ results, linkTo }: Props) {
  const signatures = results.filter(({ kind }) => kind === 'signature')
  const local = results.filter(({ kind }) => kind === 'story')
  const stories = storiesOf(signatures).slice(0, MAX_STORIES)
  const groups = [
    signatures.length > 0 && (
      <section key="signatures" aria-label="Signatures" className={styles.group}>
        <h2>Signatures</h2>
        <Cards results={signatures} linkTo={linkTo} />
      </section>
    ),
    local.length + stories.length > 0 && (
      <section key="stories" aria-label="Stories" className={styles.group}>
        <h2>Stories</h2>
        {local.length > 0 && <Cards results={local} linkTo={linkTo} />}
        {stories.length > 0 && <StoryList stories={stories} linkTo={linkTo} />}
      </section>
    ),
  ]
  return results[0]?.kind === 'story' ? groups.toReversed() : groups
}

function Cards({ results, linkTo }: Props) {
  return (
    <ol className={styles.results}>
      {results.map((result) => (
        <ResultCard key={result.key} result={result} linkTo={linkTo} />
      ))}
    </ol>
  )
}
