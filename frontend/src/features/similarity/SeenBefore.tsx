import { Link } from '@tanstack/react-router'
import { type SimilarCase, type Similar, useSimilar } from '../../api'
import { Ago, Notice } from '../../ui'
import styles from './similarity.module.css'

type Props = { caseId: string; revision: number | undefined }

const WORDS: Record<SimilarCase['likenesses'][number]['kind'], string> = { stacks: 'stacks', facts: 'facts', words: 'words of the title' }
const percent = (share: number): string => `${Math.round(share * 100)} %`

/** Have we seen this before? Cases that are alike, each with its shares and the difference one click away, and stories that fit. */
export function SeenBefore({ caseId, revision }: Props) {
  const { data, error, refetch } = useSimilar(caseId, revision)
  return (
    <section className={styles.seen} aria-labelledby="seen-before" data-testid="seen-before">
      <h2 id="seen-before">Seen before?</h2>
      {error && (
        <Notice what="Similar cases could not be looked up." retry={() => void refetch()}>
          {error.message} Everything else on this page still holds.
        </Notice>
      )}
      {!data && !error && <p role="status" className={styles.soft}>Looking through the other cases…</p>}
      {data && <Found similar={data} />}
    </section>
  )
}

function Found({ similar }: { similar: Similar }) {
  return (
    <>
      {similar.unweighed_profiles > 0 && <p className={styles.soft}>The functions of this case are still being counted; more may turn up.</p>}
      {similar.cases.length === 0 && (
        <p className={styles.soft}>{similar.compared === 0 ? 'No case that you see shares its functions or facts.' : `Compared with ${similar.compared} ${similar.compared === 1 ? 'case' : 'cases'}; none is alike.`}</p>
      )}
      <ul className={styles.list}>
        {similar.cases.map((one) => (
          <Twin key={one.number} twin={one} />
        ))}
      </ul>
      {similar.stories.length > 0 && (
        <>
          <h3>Stories that fit</h3>
          <ul className={styles.list}>
            {similar.stories.map((story) => (
              <li key={story.key}>
                <StoryLink story={story} />{' '}
                <span className={styles.soft}>{story.reasons.map((reason) => `${reason.kind === 'judged' ? 'judged' : reason.kind} ${percent(reason.share)}`).join(' · ')}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

/** The page of what fits: a signature with its story, or a story that somebody here wrote. */
function StoryLink({ story }: { story: Similar['stories'][number] }) {
  const title = story.title.map((part) => part.text).join('')
  const [area = '', name = ''] = story.key.split('/')
  return story.kind === 'story' ? (
    <Link to="/library/$story" params={{ story: story.key }}>
      {title}
    </Link>
  ) : (
    <Link to="/signatures/$area/$name" params={{ area, name }}>
      {title}
    </Link>
  )
}

function Twin({ twin }: { twin: SimilarCase }) {
  return (
    <li data-testid="similar-case" data-number={twin.number}>
      <p>
        <strong>{percent(twin.share)}</strong>{' '}
        <Link to="/cases/$caseId" params={{ caseId: String(twin.number) }}>
          {twin.number} {twin.title || 'Untitled'}
        </Link>{' '}
        <span className={styles.soft}>
          {twin.state}, <Ago at={twin.created_at} />
        </span>
      </p>
      {twin.findings.length > 0 && <p className={styles.soft}>There it was: {twin.findings.join('; ')}</p>}
      <ul className={styles.shares} aria-label="Why they are alike">
        {twin.likenesses.map((likeness) => (
          <li key={likeness.kind}>
            {WORDS[likeness.kind]} {percent(likeness.share)}
            {likeness.told.length > 0 && <span className={styles.soft}>: {likeness.told.join(', ')}</span>}
          </li>
        ))}
      </ul>
      {twin.profile_id && twin.own_profile_id && (
        <Link to="/compare" search={{ a: twin.profile_id, b: twin.own_profile_id }}>
          What differs, as a flame graph
        </Link>
      )}
    </li>
  )
}
