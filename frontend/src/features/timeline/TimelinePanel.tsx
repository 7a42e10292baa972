import { useState } from 'react'
import { type TimelineEntry, useCaseAccess, useDeleteNote, useIsGuest, useMe, useTimeline, useWriteNote } from '../../api'
import { Button, Notice, useToast } from '../../ui'
import { EventButtons, EventDialog } from '../incident'
import { byDay, clock, exact, sinceStart } from './days'
import { draftKey } from './draft'
import { NoteEditor } from './NoteEditor'
import { NoteEntry } from './NoteEntry'
import styles from './timeline.module.css'

type Props = { caseId: string; linkHere: string | undefined; onShow: (evidenceId: string, line?: number) => void }

/** The timeline of a case, latest first, with a note editor. */
export function TimelinePanel({ caseId, linkHere, onShow }: Props) {
  const timeline = useTimeline(caseId)
  const me = useMe()
  const isGuest = useIsGuest()
  const canChange = useCaseAccess(caseId).data?.may_change ?? false
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
      {canChange && !isGuest && <EventButtons caseId={caseId} />}
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
                <Entry caseId={caseId} entry={entry} accountId={me.data?.id ?? ''} canChange={canChange && !isGuest} linkHere={linkHere} onShow={onShow} />
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

type EntryProps = { caseId: string; entry: TimelineEntry; accountId: string; canChange: boolean; linkHere: string | undefined; onShow: Props['onShow'] }

function Entry({ caseId, entry, accountId, canChange, linkHere, onShow }: EntryProps) {
  const [isEditing, setIsEditing] = useState(false)
  const { note, event, evidence_id, line, until, links } = entry
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
      {links.map(({ label, url }) => (
        <span key={url}>
          {' · '}
          {url.startsWith('/') ? (
            <a href={url}>{label}</a>
          ) : (
            <a href={url} target="_blank" rel="noopener noreferrer" title={url}>
              {label}
            </a>
          )}
        </span>
      ))}
      {event && canChange && (
        <Button look="quiet" onClick={() => setIsEditing(true)}>
          Edit
        </Button>
      )}
      {entry.is_order_undecided && (
        <span className={styles.soft} title={`This time may be off by ${entry.uncertainty_s} s: an entry on another clock may have been first.`}>
          {' '}
          · order not decided (±{entry.uncertainty_s} s)
        </span>
      )}
      {entry.text && <p className={styles.soft}>{entry.text}</p>}
      {event && isEditing && <EventDialog caseId={caseId} draft={{ kind: event.kind, at: event.at, event }} onClose={() => setIsEditing(false)} />}
    </div>
  )
}
