import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { type Story, useStory } from '../../api'
import { CopyButton, Notice, PagePending, Tag } from '../../ui'
import { SignatureLink } from './links'
import styles from './stories.module.css'

const Markdown = lazy(() => import('../markdown').then((feature) => ({ default: feature.Markdown })))

/** A published story. */
export function StoryPage({ story }: { story: string }) {
  const { data, error, isPending, refetch } = useStory(story)
  useEffect(() => {
    document.title = data ? `${data.title} · Casebook` : 'Casebook'
  }, [data])
  if (error) {
    const isMissing = error instanceof Error && 'status' in error && error.status === 404
    return (
      <div className={styles.page}>
        <Notice what={isMissing ? 'Story not found.' : 'The story could not be loaded.'} retry={isMissing ? undefined : () => void refetch()}>
          {isMissing ? (
            <>
              It was unpublished or deleted, or is still a draft. Back to the <Link to="/library">library</Link>.
            </>
          ) : (
            error.message
          )}
        </Notice>
      </div>
    )
  }
  if (isPending) return <PagePending />
  return <Article story={data} />
}

function Article({ story }: { story: Story }) {
  return (
    <article className={styles.page} data-testid="story" data-number={story.number}>
      <header>
        <p className={styles.meta}>
          <Link to="/library">Library</Link> · Story {story.number} by {story.author}
          {story.published_at && `, published ${story.published_at.slice(0, 10)} by ${story.published_by}`} {story.area && <Tag>{story.area}</Tag>}
        </p>
        <h1 className={styles.title}>{story.title}</h1>
        {story.symptoms.length > 0 && <p className={styles.soft}>{story.symptoms.join(' · ')}</p>}
        <p className={styles.actions}>
          <CopyButton label="Copy link" text={() => window.location.href} />
          <a className={styles.link} href={`/api/v1/stories/${story.number}/file`} download>
            Download
          </a>
          {story.may_edit && (
            <Link className={styles.link} to="/library/$story/edit" params={{ story: story.slug }}>
              Edit
            </Link>
          )}
        </p>
      </header>
      <div className={styles.columns}>
        <Suspense fallback={<p role="status">Loading text…</p>}>
          <Markdown text={story.text} isBody />
        </Suspense>
        <aside className={styles.aside}>
          {story.fix && (
            <section>
              <h2>Fix</h2>
              <p>{story.fix}</p>
            </section>
          )}
          {story.signatures.length > 0 && (
            <section>
              <h2>Signatures</h2>
              <ul>
                {story.signatures.map(({ id, title }) => (
                  <li key={id}>
                    <SignatureLink id={id}>{title}</SignatureLink>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {story.cases.length > 0 && (
            <section>
              <h2>Cases</h2>
              <ul>
                {story.cases.map(({ number, title }) => (
                  <li key={number}>
                    <Link to="/cases/$caseId" params={{ caseId: String(number) }}>
                      {number} {title}
                    </Link>
                  </li>
                ))}
              </ul>
            </section>
          )}
        </aside>
      </div>
    </article>
  )
}
