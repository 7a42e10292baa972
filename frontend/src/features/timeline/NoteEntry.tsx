import { lazy, Suspense, useState } from 'react'
import { type Note, Problem, useChangeNote, useDeleteNote, useRestoreNote } from '../../api'
import { Button, Notice, useToast } from '../../ui'
import { draftKey } from './draft'
import { NoteEditor } from './NoteEditor'
import { NoteVersions } from './NoteVersions'
import styles from './timeline.module.css'

const Markdown = lazy(() => import('../markdown').then((module) => ({ default: module.Markdown })))
const CONFLICT = 409

type Props = { caseId: string; note: Note; says: string; accountId: string; linkHere: string | undefined }

/** A note with its editor and versions; concurrent changes of other paragraphs are merged by the service. */
export function NoteEntry({ caseId, note, says, accountId, linkHere }: Props) {
  /** The version that editing started from; null while not editing. */
  const [base, setBase] = useState<Note | null>(null)
  const [isConflict, setIsConflict] = useState(false)
  const [showsVersions, setShowsVersions] = useState(false)
  const change = useChangeNote(caseId)
  const remove = useDeleteNote(caseId)
  const restore = useRestoreNote(caseId)
  const toast = useToast()
  const showError = (error: unknown) => {
    if (error instanceof Problem && error.status === CONFLICT) setIsConflict(true)
    else toast(error instanceof Error ? error.message : String(error), { isError: true })
    return false
  }
  const edit = (from: Note | null) => {
    setBase(from)
    setIsConflict(false)
  }
  const save = (text: string) => {
    // After a conflict whoever saves has seen the other text: it stays as a version.
    const revision = isConflict ? note.revision : (base ?? note).revision
    return change.mutateAsync({ id: note.id, text, revision }).then((now) => {
      edit(null)
      toast(now.text === text ? 'Note changed.' : 'Note changed; merged with the changes of others.', {
        undo: () => void change.mutateAsync({ id: note.id, text: note.text, revision: now.revision }).catch(showError),
      })
      return true
    }, showError)
  }
  const discard = () =>
    void remove.mutateAsync(note.id).then(() => toast('Note deleted.', { undo: () => void restore.mutateAsync(note.id).catch(showError) }), showError)
  if (base !== null) {
    const isStale = note.revision > base.revision
    return (
      <div className={styles.note}>
        {isStale && (
          <Notice
            tone="plain"
            what={
              isConflict
                ? `${note.editor} changed the same paragraph. Take what you need from this text; saving again replaces it, and it stays under Versions:`
                : `${note.editor} changed this note while you were editing. Changes of other paragraphs are merged:`
            }
          >
            <pre className={styles.theirs}>{note.text}</pre>
          </Notice>
        )}
        <NoteEditor label="Edit note" draftKey={draftKey(accountId, caseId, note.id)} saved={base.text} linkHere={linkHere} isSaving={change.isPending} onSave={save} onCancel={() => edit(null)} />
      </div>
    )
  }
  return (
    <article className={styles.note} aria-label={says}>
      <header className={styles.noteHead}>
        <span>{says}</span>
        <span className={styles.actions}>
          {note.revision > 1 && (
            <Button look="quiet" aria-haspopup="dialog" onClick={() => setShowsVersions(true)}>
              Versions
            </Button>
          )}
          <Button look="quiet" onClick={() => edit(note)}>
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
      {showsVersions && <NoteVersions note={note} isSaving={change.isPending} onUse={(text) => void save(text).then(() => setShowsVersions(false))} onClose={() => setShowsVersions(false)} />}
    </article>
  )
}
