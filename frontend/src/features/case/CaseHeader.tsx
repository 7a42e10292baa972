import { type ReactNode, useState } from 'react'
import { type Case, type CaseUpdate, type Connection, type Finding, type Resolution, useCaseAccess, useIsGuest } from '../../api'
import { firstNames, RelativeTime, Tag, useToast } from '../../ui'
import { IncidentBar } from '../incident'
import type { Diagnosis } from '../overview'
import { accessLabel } from './AccessDialog'
import { CaseActions } from './CaseActions'
import { CaseProgress } from './CaseProgress'
import styles from './case.module.css'
import { CloseDialog } from './CloseDialog'
import { EditConflict } from './EditConflict'
import { changeText, resolutionText, undoOf } from './edits'
import { TitleEditor } from './TitleEditor'
import { useEdits } from './useEdits'

type Props = { caseId: string; head: Case | undefined; findings: readonly Finding[]; connection: Connection; diagnosis?: Diagnosis | undefined; onShow: (evidenceId: string, line: number) => void; children?: ReactNode }

/** Title, state, progress and actions of a case; the headline takes the place of a title that was made of names of files. `children` is what proves it. */
export function CaseHeader({ caseId, head, findings, connection, diagnosis, onShow, children }: Props) {
  const { edit, isSaving, conflict, settle } = useEdits(caseId)
  const toast = useToast()
  const isGuest = useIsGuest()
  const access = useCaseAccess(caseId).data
  const [closing, setClosing] = useState<Case>()
  if (!head)
    return (
      <header className={styles.header}>
        <h1 className="sr-only">Case {caseId}</h1>
        <span role="status" aria-label="Loading the case" />
      </header>
    )
  const citedFile = diagnosis?.statement?.citations[0]?.evidence.split('/').at(-1)
  const isOpen = head.state === 'open'
  const hosts = firstNames(head.hosts, 3)
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const change = (base: Case, mine: CaseUpdate, undo?: CaseUpdate) =>
    edit(base, mine).then((changed) => {
      if (changed && undo) toast(changeText(base, changed), { undo: () => void change(changed, undo).catch(showError) })
    })
  const onClose = (base: Case, resolution: Resolution) =>
    void change(base, { state: 'closed', resolution }, { status: base.status }).then(() => setClosing(undefined), showError)
  const onSet = (mine: CaseUpdate) => void change(head, mine, undoOf(head, mine)).catch(showError)
  const onReopen = () => void change(head, { state: 'open' }, { state: 'closed' }).catch(showError)
  const onMine = (theirs: Case, mine: CaseUpdate) => {
    settle()
    void change(theirs, mine).catch(showError)
  }
  return (
    <header className={styles.header}>
      <span className={styles.number}>Case {head.number}</span>
      {isGuest ? (
        <h1 className={styles.title} data-kind={diagnosis?.kind}>
          {diagnosis?.text ?? (head.title || 'Untitled')}
        </h1>
      ) : (
        <TitleEditor
          head={head}
          diagnosis={diagnosis}
          isSaving={isSaving}
          onSave={(base, title) => void change(base, { title }).catch(showError)}
        />
      )}
      {children}
      {diagnosis && head.title && head.title !== citedFile && <span className={styles.soft}>{head.title}</span>}
      {!isGuest && head.expires_at && <Tag>guest upload</Tag>}
      {access && access.visibility !== 'team' && <Tag>{accessLabel(access)}</Tag>}
      {hosts && !(diagnosis && head.title.startsWith(`${hosts} (`)) && <span className={styles.soft}>{hosts}</span>}
      <span className={styles.soft}>
        opened <RelativeTime at={head.created_at} />
      </span>
      <CaseProgress caseId={caseId} head={head} connection={connection} />
      {!isGuest && <CaseActions caseId={caseId} head={head} isSaving={isSaving} onClose={() => setClosing(head)} onReopen={onReopen} />}
      {!isGuest && <IncidentBar caseId={caseId} head={head} isSaving={isSaving} onChange={onSet} onResolve={() => setClosing(head)} onShow={onShow} />}
      {head.resolution && (
        <p className={styles.ended} data-testid="resolution">
          {isOpen ? 'Reopened. Previous resolution: ' : 'Resolution: '}
          {resolutionText(head.resolution, findings)}
        </p>
      )}
      {conflict && (
        <EditConflict conflict={conflict} findings={findings} isSaving={isSaving} onMine={() => onMine(conflict.theirs, conflict.mine)} onTheirs={settle} />
      )}
      {closing && (
        <CloseDialog head={closing} findings={findings} isSaving={isSaving} onClose={(resolution) => onClose(closing, resolution)} onCancel={() => setClosing(undefined)} />
      )}
    </header>
  )
}
