import { useState } from 'react'
import { type IncidentEvent, type IncidentKind, useAddEvent, useChangeEvent, useDeleteEvent, useRestoreEvent } from '../../api'
import { Button, Dialog, DialogActions, Notice, useToast } from '../../ui'
import styles from './incident.module.css'
import { EVENT_LABELS, fromInput, toInput } from './labels'

/** A new event of `kind` at a proposed time, or an event to change. */
export type Draft = { kind: IncidentKind; at: string; event?: IncidentEvent | undefined }

type Props = { caseId: string; draft: Draft; onClose: () => void }

/** Records an event of the incident, or changes one: time in UTC and one sentence. */
export function EventDialog({ caseId, draft, onClose }: Props) {
  const { kind, event } = draft
  const [at, setAt] = useState(() => toInput(draft.at))
  const [text, setText] = useState(event?.text ?? '')
  const add = useAddEvent(caseId)
  const change = useChangeEvent(caseId)
  const remove = useDeleteEvent(caseId)
  const restore = useRestoreEvent(caseId)
  const toast = useToast()
  const time = fromInput(at)
  const isSaving = add.isPending || change.isPending || remove.isPending
  const error = add.error ?? change.error ?? remove.error
  const showError = (problem: unknown) => toast(problem instanceof Error ? problem.message : String(problem), { isError: true })
  const save = () => {
    if (time === null) return
    if (event) {
      change.mutate({ id: event.id, at: time, text, revision: event.revision }, { onSuccess: onClose })
      return
    }
    add.mutate({ kind, at: time, text }, {
      onSuccess: (added) => {
        onClose()
        toast(`${EVENT_LABELS[kind]}: recorded.`, { undo: () => void remove.mutateAsync(added.id).catch(showError) })
      },
    })
  }
  const discard = (old: IncidentEvent) =>
    remove.mutate(old.id, {
      onSuccess: () => {
        onClose()
        toast('Event deleted.', { undo: () => void restore.mutateAsync(old.id).catch(showError) })
      },
    })
  return (
    <Dialog title={event ? `${EVENT_LABELS[kind]}: change event` : `${EVENT_LABELS[kind]}: record event`} testId="event-dialog" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(submitted) => {
          submitted.preventDefault()
          save()
        }}
      >
        <label>
          Time (UTC)
          <input type="datetime-local" step={1} value={at} required onChange={(changed) => setAt(changed.target.value)} />
        </label>
        <label>
          What happened
          <input value={text} maxLength={1000} placeholder={kind === 'action' ? 'Raised memory.max of db.slice to 8 GiB' : 'optional'} onChange={(changed) => setText(changed.target.value)} />
        </label>
        {error && <Notice what="The event was not saved.">{error.message}</Notice>}
        <DialogActions>
          {event && (
            <Button disabled={isSaving} onClick={() => discard(event)}>
              Delete
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={isSaving || time === null}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
