import { Link } from '@tanstack/react-router'
import { useCaseStories } from '../../api'
import { Button, Tag } from '../../ui'
import styles from './stories.module.css'

type Props = { caseId: string; onShow: (evidenceId: string) => void }

/** Stories that reference a case; empty without stories. */
export function CaseStories({ caseId, onShow }: Props) {
  const { data } = useCaseStories(caseId)
  if (!data?.length) return null
  return (
    <section className={styles.ofCase} aria-labelledby="case-stories" data-testid="case-stories">
      <h2 id="case-stories">Stories of this case</h2>
      <ul>
        {data.map((story) => (
          <li key={story.number}>
            <Link to={story.is_published ? '/library/$story' : '/library/$story/edit'} params={{ story: story.slug }}>
              {story.title || 'Untitled'}
            </Link>{' '}
            <span className={styles.soft}>by {story.author}</span> {!story.is_published && <Tag>draft</Tag>}{' '}
            {story.evidence_id && (
              <Button look="quiet" onClick={() => onShow(story.evidence_id ?? '')} title="Show the imported file">
                Show evidence
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
