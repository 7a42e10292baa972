import { type Note, useNoteVersions } from '../../api'
import { Button, Dialog, Notice, RelativeTime } from '../../ui'
import styles from './timeline.module.css'

type Props = { note: Note; isSaving: boolean; onUse: (text: string) => void; onClose: () => void }

/** All versions of a note, latest first; any of them can become the note again. */
export function NoteVersions({ note, isSaving, onUse, onClose }: Props) {
  const versions = useNoteVersions(note.id, note.revision)
  return (
    <Dialog title="Versions of the note" isWide testId="note-versions" onClose={onClose}>
      {versions.error && <Notice what="The versions could not be loaded.">{versions.error.message}</Notice>}
      {versions.isPending && <p role="status">Loading the versions…</p>}
      <ol className={styles.versions}>
        {(versions.data ?? []).toReversed().map((one) => (
          <li key={one.revision} className={styles.note}>
            <div className={styles.noteHead}>
              <span>
                Version {one.revision} by {one.editor}, <RelativeTime at={one.created_at} />
              </span>
              {one.revision < note.revision && (
                <Button look="quiet" disabled={isSaving} onClick={() => onUse(one.text)}>
                  Use this version
                </Button>
              )}
            </div>
            <pre className={styles.theirs}>{one.text}</pre>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}
