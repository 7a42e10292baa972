import { useDifference, useRevisions } from '../../api'
import { Button, Notice, RelativeTime, Tag } from '../../ui'
import styles from './stories.module.css'

type Props = { story: string; shown: number | undefined; latest: number; isSaved: boolean; onShow: (revision: number) => void; onRestore: (revision: number) => void }

/** Revision history: each revision compared with the previous one, with restore. */
export function Revisions({ story, shown, latest, isSaved, onShow, onRestore }: Props) {
  const { data, error, refetch } = useRevisions(story)
  const selected = shown ?? latest
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
            <button type="button" className={styles.revision} aria-pressed={revision.number === selected} onClick={() => onShow(revision.number)}>
              <strong>{revision.number}</strong> {revision.editor}, <RelativeTime at={revision.created_at} /> {revision.is_published && <Tag tone="calm">published</Tag>}
            </button>
          </li>
        ))}
      </ol>
      <div>
        <div className={styles.actions}>
          <h2>{selected > 1 ? `Changes in revision ${selected}` : 'First revision'}</h2>
          {selected !== latest && <Button disabled={!isSaved} onClick={() => onRestore(selected)}>Restore this revision</Button>}
        </div>
        <Difference story={story} base={selected - 1} number={selected} />
      </div>
    </section>
  )
}

const SIGNS = { same: ' ', added: '+', removed: '−', gap: '…' } as const

function Difference({ story, base, number }: { story: string; base: number; number: number }) {
  const { data, error, isPending, refetch } = useDifference(story, base, number)
  if (error) {
    return (
      <Notice what="The changes could not be loaded." retry={() => void refetch()}>
        {error.message}
      </Notice>
    )
  }
  if (isPending) return <p role="status">Loading…</p>
  return (
    <>
      <p className={styles.soft}>{data.lines.length === 0 ? 'No changes in the text.' : `${data.added} lines added, ${data.removed} removed`}</p>
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
