import { type Case, type Connection, useUpdateCase } from '../../api'
import { Ago, Button, CopyButton, Tag, useKeys, useToast } from '../../ui'
import styles from './case.module.css'
import { CollectButton } from './CollectButton'
import { TitleEditor } from './TitleEditor'

type Props = { caseId: string; head: Case | undefined; connection: Connection }

export function CaseHeader({ caseId, head, connection }: Props) {
  const update = useUpdateCase(caseId)
  const say = useToast()
  useKeys({ y: () => document.querySelector<HTMLButtonElement>('[data-copy-link] button')?.click() })
  if (!head) return <header className={styles.header} role="status" aria-label="Loading the case" />
  const isOpen = head.state === 'open'
  const setState = (state: Case['state']) =>
    update.mutate(
      { state },
      {
        onSuccess: () => say(state === 'closed' ? 'The case is closed.' : 'The case is open again.', { undo: () => update.mutate({ state: isOpen ? 'open' : 'closed' }) }),
        onError: (error) => say(error.message, { isError: true }),
      },
    )
  return (
    <header className={styles.header}>
      <span className={styles.number}>Case {head.number}</span>
      <TitleEditor
        title={head.title || 'Untitled'}
        isSaving={update.isPending}
        onSave={(title) => update.mutate({ title }, { onError: (error) => say(error.message, { isError: true }) })}
      />
      {!isOpen && <Tag>closed</Tag>}
      <span className={styles.soft}>{head.hosts.length > 0 ? head.hosts.join(', ') : 'host not named'}</span>
      <span className={styles.soft}>
        opened <Ago at={head.created_at} />
      </span>
      <Progress head={head} connection={connection} />
      <span className={styles.headerActions}>
        <CollectButton caseId={caseId} />
        <span data-copy-link>
          <CopyButton label="Copy link" text={() => window.location.href} />
        </span>
        <Button onClick={() => setState(isOpen ? 'closed' : 'open')} disabled={update.isPending}>
          {isOpen ? 'Close case' : 'Reopen'}
        </Button>
      </span>
    </header>
  )
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
