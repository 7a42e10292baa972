import { Link } from '@tanstack/react-router'
import { type SimilarCase, type Similar, useSimilar } from '../../api'
import { Notice, RelativeTime } from '../../ui'
import styles from './similarity.module.css'

type Props = { caseId: string; revision: number | undefined }

const KIND_LABELS: Record<SimilarCase['similarities'][number]['kind'], string> = { stacks: 'stacks', traits: 'what was found', facts: 'facts' }
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Similar cases with their similarity by kind and a link to compare, and related stories. */
export function SimilarCases({ caseId, revision }: Props) {
  const { data, error, refetch } = useSimilar(caseId, revision)
  return (
    <section className={styles.similar} aria-labelledby="similar-cases" data-testid="similar-cases">
      <h2 id="similar-cases">Similar cases</h2>
      {error && (
        <Notice what="Similar cases could not be loaded." retry={() => void refetch()}>
          {error.message} The rest of the page is not affected.
        </Notice>
      )}
      {!data && !error && <p role="status" className={styles.soft}>Searching similar cases…</p>}
      {data && <Results similar={data} />}
    </section>
  )
}

function Results({ similar }: { similar: Similar }) {
  return (
    <>
      {similar.unweighed_profiles > 0 && <p className={styles.soft}>Indexing functions; more cases may appear.</p>}
      {similar.cases.length === 0 && (
        <p className={styles.soft}>{similar.compared === 0 ? 'No other case shares functions or facts with this one.' : `Compared with ${similar.compared} ${similar.compared === 1 ? 'case' : 'cases'}; none is similar.`}</p>
      )}
      <ul className={styles.list}>
        {similar.cases.map((one) => (
          <SimilarCaseRow key={one.number} similarCase={one} />
        ))}
      </ul>
      {similar.stories.length > 0 && (
        <>
          <h3>Related stories</h3>
          <ul className={styles.list}>
            {similar.stories.map((story) => (
              <li key={story.key}>
                <StoryLink story={story} />{' '}
                <span className={styles.soft}>{[`${story.reading_minutes} min`, ...story.reasons.map((reason) => (reason.kind === 'judged' ? 'verdict' : reason.kind))].join(' · ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** Link to a related story, of a signature or of the team. */
function StoryLink({ story }: { story: Similar['stories'][number] }) {
  const title = story.title.map((part) => part.text).join('')
  const [area = '', name = ''] = story.key.split('/')
  return story.kind === 'story' ? (
    <Link to="/library/$story" params={{ story: story.key }}>
      {title}
    </Link>
  ) : (
    <Link to="/signatures/$area/$name/story" params={{ area, name }}>
      {story.headline || title}
    </Link>
  )
}

function SimilarCaseRow({ similarCase }: { similarCase: SimilarCase }) {
  return (
    <li data-testid="similar-case" data-number={similarCase.number}>
      <p>
        <strong>{percent(similarCase.share)}</strong>{' '}
        <Link to="/cases/$caseId" params={{ caseId: String(similarCase.number) }}>
          {similarCase.number} {similarCase.title || 'Untitled'}
        </Link>{' '}
        <span className={styles.soft}>
          {similarCase.state}, <RelativeTime at={similarCase.created_at} />
        </span>
      </p>
      {similarCase.findings.length > 0 && <p className={styles.soft}>Findings: {similarCase.findings.join('; ')}</p>}
      <ul className={styles.shares} aria-label="Similarity by kind">
        {similarCase.similarities.map((similarity) => (
          <li key={similarity.kind}>
            {KIND_LABELS[similarity.kind]} {percent(similarity.share)}
            {similarity.common.length > 0 && <span className={styles.soft}>: {similarity.common.join(', ')}</span>}
          </li>
        ))}
      </ul>
      {similarCase.profile_id && similarCase.own_profile_id && (
        <Link to="/compare" search={{ a: similarCase.profile_id, b: similarCase.own_profile_id }}>
          Compare flame graphs
        </Link>
      )}
    </li>
  )
}
