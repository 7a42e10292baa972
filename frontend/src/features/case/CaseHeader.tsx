import { useState } from 'react'
import { type Case, type Connection, type Finding, type Resolution, useIsGuest, useUpdateCase } from '../../api'
import { Ago, Button, CopyButton, Tag, useKeys, useToast } from '../../ui'
import { CaseStoryButton } from '../stories'
import styles from './case.module.css'
import { CloseDialog } from './CloseDialog'
import { CollectButton } from './CollectButton'
import { Sharing } from './Sharing'
import { TitleEditor } from './TitleEditor'

type Props = { caseId: string; head: Case | undefined; findings: readonly Finding[]; connection: Connection }

export function CaseHeader({ caseId, head, findings, connection }: Props) {
  const update = useUpdateCase(caseId)
  const say = useToast()
  const isGuest = useIsGuest()
  const [isClosing, setIsClosing] = useState(false)
  useKeys({ y: () => document.querySelector<HTMLButtonElement>('[data-copy-link] button')?.click() })
  if (!head) return <header className={styles.header} role="status" aria-label="Loading the case" />
  const isOpen = head.state === 'open'
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true })
  const reopen = () => update.mutateAsync({ state: 'open' })
  const close = (resolution: Resolution) => update.mutateAsync({ state: 'closed', resolution })
  const onClose = (resolution: Resolution) =>
    void close(resolution).then(() => {
      setIsClosing(false)
      say('The case is closed.', { undo: () => void reopen().catch(failed) })
    }, failed)
  const onReopen = () =>
    void reopen().then(() => say('The case is open again.', { undo: () => void update.mutateAsync({ state: 'closed' }).catch(failed) }), failed)
  return (
    <header className={styles.header}>
      <span className={styles.number}>Case {head.number}</span>
      {isGuest ? (
        <h1 className={styles.title}>{head.title || 'Untitled'}</h1>
      ) : (
        <TitleEditor
          title={head.title || 'Untitled'}
          isSaving={update.isPending}
          onSave={(title) => update.mutate({ title }, { onError: (error) => say(error.message, { isError: true }) })}
        />
      )}
      {!isGuest && head.expires_at && <Tag>sent without signing in</Tag>}
      {!isOpen && <Tag>closed</Tag>}
      <span className={styles.soft}>{head.hosts.length > 0 ? head.hosts.join(', ') : 'host not named'}</span>
      <span className={styles.soft}>
        opened <Ago at={head.created_at} />
      </span>
      <Progress head={head} connection={connection} />
      {!isGuest && (
        <span className={styles.headerActions}>
          <CollectButton caseId={caseId} />
          <CaseStoryButton caseId={caseId} />
          <Sharing caseId={caseId} />
          <span data-copy-link>
            <CopyButton label="Copy link" text={() => window.location.href} />
          </span>
          <Button onClick={() => (isOpen ? setIsClosing(true) : onReopen())} disabled={update.isPending}>
            {isOpen ? 'Close case' : 'Reopen'}
          </Button>
        </span>
      )}
      {head.resolution && (
        <p className={styles.ended} data-testid="resolution">
          {isOpen ? 'Reopened. Before: ' : 'It was: '}
          {resolutionWords(head.resolution, findings)}
        </p>
      )}
      {isClosing && <CloseDialog head={head} findings={findings} isSaving={update.isPending} onClose={onClose} onCancel={() => setIsClosing(false)} />}
    </header>
  )
}

function resolutionWords({ signature, cause, fix }: Resolution, findings: readonly Finding[]): string {
  const title = findings.find((finding) => finding.signature === signature)?.title ?? signature
  const what = [title, cause].filter(Boolean).join('. ') || 'not said'
  return `${what}${/[.!?]$/.test(what) ? '' : '.'} Fixed by: ${fix || 'not said'}`
}

function Progress({ head, connection }: { head: Case; connection: Connection }) {
  const words =
    head.reading_count > 0
      ? `reading ${head.reading_count} of ${head.evidence_count}`
      : !head.judged && head.evidence_count > 0
        ? 'judging'
        : connection === 'lost'
          ? 'live updates are interrupted; trying again'
          : ''
  return (
    <span role="status" className={styles.progress} data-testid="case-progress" data-live={connection}>
      {words}
    </span>
  )
}
