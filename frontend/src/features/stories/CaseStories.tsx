import { Link, useNavigate } from '@tanstack/react-router'
import { useCaseStories, useDraftCaseStory, useMe } from '../../api'
import { Button, Tag, useToast } from '../../ui'
import styles from './stories.module.css'

/** Creates a story draft from a case and opens the editor. */
export function CaseStoryButton({ caseId }: { caseId: string }) {
  const me = useMe()
  const create = useDraftCaseStory()
  const navigate = useNavigate()
  const toast = useToast()
  if (!me.data || me.data.role === 'viewer') return null
  return (
    <Button
      disabled={create.isPending}
      title="Creates a draft with findings, cited lines, kernels, fixes, timeline and notes"
      onClick={() =>
        void create.mutateAsync(caseId).then(
          ({ slug }) => navigate({ to: '/library/$story/edit', params: { story: slug } }),
          (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true }),
        )
      }
    >
      {create.isPending ? 'Drafting…' : 'Draft story'}
    </Button>
  )
}

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
