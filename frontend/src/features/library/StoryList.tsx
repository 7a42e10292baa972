import type { ReactNode } from 'react'
import type { LibraryStory } from './shelves'
import styles from './shelves.module.css'

type Props = { stories: readonly LibraryStory[]; linkTo: (kind: string, key: string, text: ReactNode) => ReactNode }

/** Stories with first sentences and reading time. */
export function StoryList({ stories, linkTo }: Props) {
  return (
    <ul className={styles.stories} data-testid="stories">
      {stories.map(({ kind, key, title, lead, minutes }) => (
        <li key={`${kind} ${key}`} data-testid="library-story" data-key={key}>
          <p>
            {linkTo(kind === 'story' ? 'story' : 'signature-story', key, title)}{' '}
            <span className={styles.soft}>
              {minutes} min{kind === 'story' && ' · your team'}
            </span>
          </p>
          <p className={styles.soft}>{lead}</p>
        </li>
      ))}
    </ul>
  )
}
