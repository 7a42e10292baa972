import { useDifference, useRevisions } from '../../api'
import { Ago, Button, Notice, Tag } from '../../ui'
import styles from './stories.module.css'

type Props = { story: string; shown: number | undefined; latest: number; isSaved: boolean; onShow: (revision: number) => void; onRestore: (revision: number) => void }

/** What the story said before: each revision against the one before it, and a way back to it. */
export function Revisions({ story, shown, latest, isSaved, onShow, onRestore }: Props) {
  const { data, error, refetch } = useRevisions(story)
  const chosen = shown ?? latest
  return (
    <section className={styles.revisions} aria-label="Revisions" data-testid="revisions">
      {error && (
        <Notice what="The revisions could not be loaded." retry={() => void refetch()}>
          {error.message}
        </Notice>
      )}
      <ol>
        {data?.map((revision) => (
          <li key={revision.number}>
            <button type="button" className={styles.revision} aria-pressed={revision.number === chosen} onClick={() => onShow(revision.number)}>
              <strong>{revision.number}</strong> {revision.editor}, <Ago at={revision.created_at} /> {revision.is_published && <Tag tone="calm">published</Tag>}
            </button>
          </li>
        ))}
      </ol>
      <div>
        <div className={styles.actions}>
          <h2>{chosen > 1 ? `What revision ${chosen} changed` : 'The first revision'}</h2>
          {chosen !== latest && <Button disabled={!isSaved} onClick={() => onRestore(chosen)}>Bring this revision back</Button>}
        </div>
        <Difference story={story} base={chosen - 1} number={chosen} />
      </div>
    </section>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: '…' } as const

function Difference({ story, base, number }: { story: string; base: number; number: number }) {
  const { data, error, isPending, refetch } = useDifference(story, base, number)
  if (error) {
    return (
      <Notice what="The difference could not be shown." retry={() => void refetch()}>
        {error.message}
      </Notice>
    )
  }
  if (isPending) return <p role="status">Comparing…</p>
  return (
    <>
      <p className={styles.soft}>{data.lines.length === 0 ? 'Nothing in what it says.' : `${data.added} lines new, ${data.removed} gone`}</p>
      {data.lines.length > 0 && (
        <pre className={styles.difference} tabIndex={0} data-testid="difference">
          {data.lines.map(({ kind, text }, at) => (
            <span key={at} data-kind={kind}>
              {SIGNS[kind]} {text}
              {'\n'}
            </span>
          ))}
        </pre>
      )}
    </>
  )
}
