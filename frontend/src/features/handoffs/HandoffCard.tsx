import { type Handoff, useMoveHandoff, useWriteToRecipients } from '../../api'
import { Ago, Button, Tag, useToast } from '../../ui'
import { Markdown } from '../markdown'
import styles from './handoffs.module.css'
import { Links } from './Links'
import { Messages } from './Messages'
import { RedactionReport } from './RedactionReport'
import { Steps } from './Steps'
import { bytes, STATES } from './words'

type Props = { caseId: string; handoff: Handoff }

/** One handoff as its sender sees it, from what redaction did to the answer. */
export function HandoffCard({ caseId, handoff }: Props) {
  const move = useMoveHandoff(caseId, handoff.id)
  const write = useWriteToRecipients(caseId, handoff.id)
  const say = useToast()
  const { word, tone, says } = STATES[handoff.state]
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true })
  const close = () =>
    void move.mutateAsync('close').then(() => say('The handoff is closed.', { undo: () => void move.mutateAsync('reopen').catch(failed) }), failed)
  const at = `/api/v1/cases/${caseId}/handoffs/${handoff.id}`
  const isOpen = ['offered', 'accepted', 'answered'].includes(handoff.state)
  return (
    <article className={styles.card} data-testid="handoff" data-state={handoff.state} aria-label={`Handed to ${handoff.recipient}`}>
      <header className={styles.head}>
        <h2>{handoff.recipient}</h2>
        <Tag tone={tone}>{word}</Tag>
        <span className={styles.soft}>
          by {handoff.author} <Ago at={handoff.created_at} />
        </span>
        {isOpen && (
          <Button onClick={close} disabled={move.isPending}>
            Close handoff
          </Button>
        )}
        {handoff.state === 'closed' && <Button onClick={() => void move.mutateAsync('reopen').catch(failed)}>Reopen handoff</Button>}
      </header>
      <p role="status">{handoff.reason || says}</p>
      {(isOpen || handoff.state === 'closed') && <Steps state={handoff.state} />}
      {handoff.redaction && (
        <>
          <RedactionReport caseId={caseId} handoffId={handoff.id} redaction={handoff.redaction} isOpen={handoff.state === 'ready'} />
          <details>
            <summary>What recipients read first</summary>
            <Markdown text={handoff.summary} isSmall />
          </details>
          <p className={styles.actions}>
            <a href={`${at}/bundle`} download>
              Bundle
            </a>
            <span className={styles.soft}>{bytes(handoff.bundle_bytes ?? 0)}</span>
            <a href={`${at}/case.html`} download>
              Page that needs no network
            </a>
            <span className={styles.soft}>SHA-256 {handoff.bundle_sha256?.slice(0, 16)}…</span>
          </p>
          <Links caseId={caseId} handoff={handoff} />
          {handoff.state !== 'ready' && (
            <Messages
              messages={handoff.messages}
              canWrite={isOpen}
              hint="Sent as you write it: not redacted."
              label="Write to the recipients"
              onSend={(text) => write.mutateAsync(text)}
            />
          )}
        </>
      )}
    </article>
  )
}
