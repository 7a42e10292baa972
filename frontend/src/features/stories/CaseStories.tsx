import { Link, useNavigate } from '@tanstack/react-router'
import { useBeginCaseStory, useCaseStories, useMe } from '../../api'
import { Button, Tag, useToast } from '../../ui'
import styles from './stories.module.css'

/** Begin the story of a case with what the case tells, and go on to write it. */
export function CaseStoryButton({ caseId }: { caseId: string }) {
  const me = useMe()
  const begin = useBeginCaseStory()
  const navigate = useNavigate()
  const say = useToast()
  if (!me.data || me.data.role === 'viewer') return null
  return (
    <Button
      disabled={begin.isPending}
      title="A draft with what was found, the lines that say so, kernels, fixes, timeline and notes"
      onClick={() =>
        void begin.mutateAsync(caseId).then(
          ({ slug }) => navigate({ to: '/library/$story/edit', params: { story: slug } }),
          (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true }),
        )
      }
    >
      {begin.isPending ? 'Writing…' : 'Write its story'}
    </Button>
  )
}

type Props = { caseId: string; onShow: (evidenceId: string) => void }

/** The stories that speak of a case; nothing while there is none. */
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
              <Button look="quiet" onClick={() => onShow(story.evidence_id ?? '')} title="Show the file that it came as">
                came as evidence
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
