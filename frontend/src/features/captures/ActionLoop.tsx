import { useState } from 'react'
import { type Finding, type Fix, useAddAfter, useAddEvent, useDeleteEvent, useIncident, usePhases, useRestoreEvent, useSignature } from '../../api'
import { Button, RelativeTime, ShellCommand, Tag, useToast } from '../../ui'
import styles from './captures.module.css'
import { ResultForm } from './ResultForm'
import { eventText, figuresOf, outcomeOf, verifyingCapture } from './verification'

type Props = { caseId: string; finding: Finding; fix: Fix; values: Readonly<Record<string, string>>; canChange: boolean }

/** What was done about a finding, and whether it helped: the event, the capture that shows it, and its outcome. */
export function ActionLoop({ caseId, finding, fix, values, canChange }: Props) {
  const events = useIncident(caseId).data?.events ?? []
  const ran = events.findLast(({ kind, text }) => kind === 'action' && text === eventText(fix))
  const add = useAddEvent(caseId)
  const remove = useDeleteEvent(caseId)
  const restore = useRestoreEvent(caseId)
  const toast = useToast()
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const undo = (id: string) => void remove.mutateAsync(id).then(() => toast('Event deleted.', { undo: () => void restore.mutateAsync(id).catch(showError) }), showError)
  const record = () =>
    void add.mutateAsync({ kind: 'action', at: new Date().toISOString(), text: eventText(fix) }).then((added) => toast('Recorded in the timeline.', { undo: () => undo(added.id) }), showError)
  if (!ran) {
    return canChange ? (
      <div className={styles.actions}>
        <Button look="primary" disabled={add.isPending} onClick={record}>
          I ran it
        </Button>
      </div>
    ) : null
  }
  return (
    <section className={styles.loop} aria-label="After the change" data-testid="action-loop">
      <p>
        <strong>{ran.text}</strong>{' '}
        <span className={styles.soft}>
          {ran.author}, <RelativeTime at={ran.at} />
        </span>{' '}
        {canChange && (
          <Button look="quiet" onClick={() => undo(ran.id)}>
            Undo
          </Button>
        )}
      </p>
      <Verification caseId={caseId} finding={finding} fix={fix} values={values} canChange={canChange} />
    </section>
  )
}

function Verification({ caseId, finding, fix, values, canChange }: Props) {
  const [area = '', name = ''] = finding.signature.split('/')
  const signature = useSignature(area, name).data
  const outcome = outcomeOf(usePhases(caseId).data, finding)
  const capture = verifyingCapture(signature?.document, finding)
  return (
    <>
      {outcome && (
        <p data-testid="outcome" data-outcome={outcome.outcome}>
          <Tag tone={outcome.tone}>{outcome.label}</Tag> {[outcome.because, outcome.row.comparison].filter(Boolean).join('; ')}
        </p>
      )}
      {outcome && figuresOf(outcome.row).map(({ title, before, after }) => (
        <p key={title} className={styles.figure}>
          {title}: <b>{before} → {after}</b>
        </p>
      ))}
      {fix.verify && outcome?.outcome !== 'cleared' && <p>Done when: {fix.verify}.</p>}
      {capture && outcome?.outcome !== 'cleared' && <ShellCommand text={capture.run} name={`Verify: ${capture.title}`} values={values} />}
      {canChange && outcome?.outcome !== 'cleared' && <AfterForm caseId={caseId} host={finding.host} />}
    </>
  )
}

/** The output of the verifying capture: it becomes evidence of the phase after the change. */
function AfterForm({ caseId, host }: { caseId: string; host: string }) {
  const [isOpen, setIsOpen] = useState(true)
  const add = useAddAfter(caseId)
  const toast = useToast()
  if (!isOpen) {
    return (
      <div className={styles.actions}>
        <Button onClick={() => setIsOpen(true)}>Add its output</Button>
      </div>
    )
  }
  return (
    <ResultForm
      name="after the change"
      isNew={false}
      isSending={add.isPending}
      onCancel={() => setIsOpen(false)}
      onSend={(result) =>
        void add.mutateAsync({ host, result }).then(
          () => {
            setIsOpen(false)
            toast('Added as evidence of after the change; reading it.')
          },
          (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true }),
        )
      }
    />
  )
}
