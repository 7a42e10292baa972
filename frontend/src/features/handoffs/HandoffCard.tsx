import { lazy, Suspense, useState } from 'react'
import { type Handoff, type OpenClassName, type TokenReplacement, useCancelJobs, useReplaceTokens, useSetHandoffState, useWriteToRecipients } from '../../api'
import { Button, importWithRetry, RelativeTime, Tag, useToast } from '../../ui'
import styles from './handoffs.module.css'
import { Links } from './Links'
import { Messages } from './Messages'
import { OpenTokens } from './OpenTokens'
import { RedactionReport } from './RedactionReport'
import { Replacements } from './Replacements'
import { Steps } from './Steps'
import { bytes, STATES } from './labels'

const Markdown = lazy(() => importWithRetry(() => import('../markdown')).then((module) => ({ default: module.Markdown })))

type Props = { caseId: string; handoff: Handoff }

/** One handoff, sender's view: redaction report, links and messages. */
export function HandoffCard({ caseId, handoff }: Props) {
  const setState = useSetHandoffState(caseId, handoff.id)
  const cancel = useCancelJobs(caseId)
  const sendMessage = useWriteToRecipients(caseId, handoff.id)
  const replaceTokens = useReplaceTokens(caseId, handoff.id)
  const toast = useToast()
  const [reviewed, setReviewed] = useState<ReadonlySet<OpenClassName>>(new Set())
  const review = (name: OpenClassName, isReviewed: boolean) => setReviewed(new Set([...reviewed].filter((one) => one !== name).concat(isReviewed ? [name] : [])))
  const { label, tone, description } = STATES[handoff.state]
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const close = () =>
    void setState.mutateAsync('close').then(() => toast('Handoff closed.', { undo: () => void setState.mutateAsync('reopen').catch(failed) }), failed)
  const setReplacements = (tokens: TokenReplacement[]) => {
    setReviewed(new Set())
    void replaceTokens.mutateAsync(tokens).catch(failed)
  }
  const canReplace = handoff.state === 'ready' && !replaceTokens.isPending
  const url = `/api/v1/cases/${caseId}/handoffs/${handoff.id}`
  const isOpen = ['offered', 'accepted', 'answered'].includes(handoff.state)
  return (
    <article className={styles.card} data-testid="handoff" data-state={handoff.state} aria-label={`Handoff to ${handoff.recipient}`}>
      <header className={styles.head}>
        <h2>{handoff.recipient}</h2>
        <Tag tone={tone}>{label}</Tag>
        <span className={styles.soft}>
          by {handoff.author} <RelativeTime at={handoff.created_at} />
        </span>
        {isOpen && (
          <Button onClick={close} disabled={setState.isPending}>
            Close handoff
          </Button>
        )}
        {handoff.state === 'preparing' && (
          <Button onClick={() => void cancel.mutateAsync({ work: 'preparing', subject_id: handoff.id }).catch(failed)} disabled={cancel.isPending}>
            Cancel preparation
          </Button>
        )}
        {(handoff.state === 'failed' || handoff.state === 'cancelled') && (
          <Button onClick={() => void setState.mutateAsync('prepare').catch(failed)} disabled={setState.isPending}>
            Prepare again
          </Button>
        )}
        {handoff.state === 'closed' && <Button onClick={() => void setState.mutateAsync('reopen').catch(failed)}>Reopen handoff</Button>}
      </header>
      <p role="status">{handoff.reason || description}</p>
      {(isOpen || handoff.state === 'closed') && <Steps state={handoff.state} />}
      {handoff.redaction && (
        <>
          <RedactionReport caseId={caseId} handoffId={handoff.id} redaction={handoff.redaction} isOpen={handoff.state === 'ready'} />
          <details>
            <summary>Summary for recipients</summary>
            <Suspense fallback={null}>
              <Markdown text={handoff.summary} isSmall />
            </Suspense>
          </details>
          <p className={styles.actions}>
            <a href={`${url}/bundle`} download>
              Bundle
            </a>
            <span className={styles.soft}>{bytes(handoff.bundle_bytes ?? 0)}</span>
            <a href={`${url}/case.html`} download>
              Offline page
            </a>
            <span className={styles.soft}>SHA-256 {handoff.bundle_sha256?.slice(0, 16)}…</span>
          </p>
          <Replacements replacements={handoff.replacements} onChange={canReplace ? setReplacements : undefined} />
          {handoff.state !== 'closed' && (
            <OpenTokens
              key={handoff.replacements.length}
              what="handoff"
              classes={handoff.redaction.open_classes}
              reviewed={reviewed}
              onReview={review}
              onReplace={canReplace ? (tokens) => setReplacements([...handoff.replacements, ...tokens]) : undefined}
            />
          )}
          <Links caseId={caseId} handoff={handoff} reviewed={reviewed} />
          {handoff.state !== 'ready' && (
            <Messages
              messages={handoff.messages}
              canWrite={isOpen}
              hint="Messages are not redacted."
              label="Message to the recipients"
              onSend={(text) => sendMessage.mutateAsync(text)}
            />
          )}
        </>
      )}
    </article>
  )
}
