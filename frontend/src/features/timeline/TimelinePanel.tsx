import { lazy, Suspense, useState } from 'react'
import { type Note, type TimelineEntry, useChangeNote, useDeleteNote, useIsGuest, useMe, useRestoreNote, useTimeline, useWriteNote } from '../../api'
import { Button, Notice, useToast } from '../../ui'
import { byDay, clock, exact, sinceStart } from './days'
import { draftKey } from './draft'
import { NoteEditor } from './NoteEditor'
import styles from './timeline.module.css'

const Markdown = lazy(() => import('../markdown').then((module) => ({ default: module.Markdown })))

type Props = { caseId: string; linkHere: string | undefined; onShow: (evidenceId: string, line?: number) => void }

/** The timeline of a case, latest first, with a note editor. */
export function TimelinePanel({ caseId, linkHere, onShow }: Props) {
  const timeline = useTimeline(caseId)
  const me = useMe()
  const isGuest = useIsGuest()
  const write = useWriteNote(caseId)
  const remove = useDeleteNote(caseId)
  const toast = useToast()
  const showError = (error: unknown) => {
    toast(error instanceof Error ? error.message : String(error), { isError: true })
    return false
  }
  const add = (text: string) =>
    write.mutateAsync(text).then((note) => {
      toast('Note saved.', { undo: () => void remove.mutateAsync(note.id).catch(showError) })
      return true
    }, showError)
  const entries = timeline.data?.items ?? []
  const untimed = timeline.data?.untimed ?? []
  const start = entries[0]?.at ?? ''
  return (
    <section className={styles.panel} aria-label="Notes and timeline" data-testid="timeline">
      {me.data && !isGuest && <NoteEditor label="Add a note" draftKey={draftKey(me.data.id, caseId, '')} saved="" linkHere={linkHere} isSaving={write.isPending} onSave={add} />}
      {timeline.error && (
        <Notice what="The timeline could not be loaded." retry={() => void timeline.refetch()}>
          {timeline.error.message} Your draft is stored in this browser.
        </Notice>
      )}
      {timeline.isPending && <p role="status">Loading the timeline…</p>}
      {byDay(entries).map(({ day, entries: ofDay }) => (
        <section key={day} className={styles.day} aria-label={day}>
          <h2>
            {day} <span className={styles.soft}>UTC</span>
          </h2>
          <ol>
            {ofDay.map((entry) => (
              <li key={entry.id} className={styles.entry} data-kind={entry.kind} data-testid="timeline-entry">
                <time dateTime={entry.at} title={exact(entry.at)}>
                  {clock(entry.at)}
                  <span className={styles.since}>{sinceStart(entry.at, start)}</span>
                </time>
                <Entry caseId={caseId} entry={entry} accountId={me.data?.id ?? ''} linkHere={linkHere} onShow={onShow} />
              </li>
            ))}
          </ol>
        </section>
      ))}
      {untimed.length > 0 && (
        <details className={styles.untimed}>
          <summary>
            {untimed.length === 1 ? '1 file' : `${untimed.length} files`} without a timestamp
          </summary>
          <ul>
            {untimed.map(({ evidence_id, name }) => (
              <li key={evidence_id}>
                <button type="button" className={styles.file} onClick={() => onShow(evidence_id)}>
                  {name}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}

type EntryProps = { caseId: string; entry: TimelineEntry; accountId: string; linkHere: string | undefined; onShow: Props['onShow'] }

function Entry({ caseId, entry, accountId, linkHere, onShow }: EntryProps) {
  const { note, evidence_id, line, until } = entry
  if (note) return <NoteEntry caseId={caseId} note={note} says={entry.says} accountId={accountId} linkHere={linkHere} />
  return (
    <div>
      {evidence_id ? (
        <button type="button" className={styles.file} onClick={() => onShow(evidence_id, line || undefined)}>
          {entry.says}
        </button>
      ) : (
        <span>{entry.says}</span>
      )}
      {until && until !== entry.at && <span className={styles.soft}> until {until.slice(0, 10) === entry.at.slice(0, 10) ? clock(until) : exact(until)}</span>}
      {entry.text && <p className={styles.soft}>{entry.text}</p>}
    </div>
  )
}

function NoteEntry({ caseId, note, says, accountId, linkHere }: { caseId: string; note: Note; says: string; accountId: string; linkHere: string | undefined }) {
  /** The revision that editing started from; null while not editing. */
  const [editedRevision, setEditedRevision] = useState<number | null>(null)
  const change = useChangeNote(caseId)
  const remove = useDeleteNote(caseId)
  const restore = useRestoreNote(caseId)
  const toast = useToast()
  const showError = (error: unknown) => {
    toast(error instanceof Error ? error.message : String(error), { isError: true })
    return false
  }
  const save = (text: string) =>
    change.mutateAsync({ id: note.id, text, revision: note.revision }).then((now) => {
      setEditedRevision(null)
      toast('Note changed.', { undo: () => void change.mutateAsync({ id: note.id, text: note.text, revision: now.revision }).catch(showError) })
      return true
    }, showError)
  const discard = () =>
    void remove.mutateAsync(note.id).then(() => toast('Note deleted.', { undo: () => void restore.mutateAsync(note.id).catch(showError) }), showError)
  if (editedRevision !== null) {
    return (
      <div className={styles.note}>
        {note.revision > editedRevision && (
          <Notice tone="plain" what={`${note.editor} changed this note while you were editing. Saving replaces this text:`}>
            <pre className={styles.theirs}>{note.text}</pre>
          </Notice>
        )}
        <NoteEditor label="Edit note" draftKey={draftKey(accountId, caseId, note.id)} saved={note.text} linkHere={linkHere} isSaving={change.isPending} onSave={save} onCancel={() => setEditedRevision(null)} />
      </div>
    )
  }
  return (
    <article className={styles.note} aria-label={says}>
      <header className={styles.noteHead}>
        <span>{says}</span>
        <span className={styles.actions}>
          <Button look="quiet" onClick={() => setEditedRevision(note.revision)}>
            Edit
          </Button>
          <Button look="quiet" onClick={discard} disabled={remove.isPending}>
            Delete
          </Button>
        </span>
      </header>
      <Suspense fallback={<p>{note.text}</p>}>
        <Markdown text={note.text} isSmall />
      </Suspense>
    </article>
  )
}
