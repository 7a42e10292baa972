import { useState } from 'react'
import { type Case, type CaseStatus, type CaseUpdate, useCaseAccess, useMe, useMembers } from '../../api'
import { focusOnMount, Tag } from '../../ui'
import styles from './incident.module.css'
import { IncidentTimes } from './IncidentTimes'
import { SEVERITIES, STATUS_LABELS, tagsIn } from './labels'

type Props = { caseId: string; head: Case; isSaving: boolean; onChange: (mine: CaseUpdate) => void; onResolve: () => void; onShow: (evidenceId: string, line: number) => void }

/** Status, severity, assignee, team and tags of an incident, and its times. */
export function IncidentBar({ caseId, head, isSaving, onChange, onResolve, onShow }: Props) {
  const access = useCaseAccess(caseId).data
  const canChange = access?.may_change ?? false
  const setStatus = (status: CaseStatus) => (status === 'resolved' ? onResolve() : onChange({ status }))
  return (
    <section className={styles.bar} aria-label="Incident" data-testid="incident-bar" data-status={head.status}>
      {canChange ? (
        <>
          <select aria-label="Status" className={styles.select} data-status={head.status} value={head.status} disabled={isSaving} onChange={(event) => setStatus(event.target.value as CaseStatus)}>
            {Object.entries(STATUS_LABELS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <select
            aria-label="Severity"
            className={styles.select}
            value={head.severity ?? ''}
            disabled={isSaving}
            onChange={(event) => onChange({ severity: (event.target.value || null) as Case['severity'] })}
          >
            <option value="">No severity</option>
            {SEVERITIES.map((severity) => (
              <option key={severity} value={severity}>
                {severity}
              </option>
            ))}
          </select>
          <Assignee head={head} isSaving={isSaving} onAssign={(assignee) => onChange({ assignee })} />
          {head.team && <Tag>{head.team.name}</Tag>}
          <Tags key={head.tags.join(' ')} tags={head.tags} onTags={(tags) => onChange({ tags })} />
        </>
      ) : (
        <>
          <Tag>{STATUS_LABELS[head.status]}</Tag>
          {head.severity && <Tag>{head.severity}</Tag>}
          {head.assignee && <span>{head.assignee.name}</span>}
          {head.team && <Tag>{head.team.name}</Tag>}
          {head.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </>
      )}
      <IncidentTimes caseId={caseId} canChange={canChange} onShow={onShow} />
    </section>
  )
}

function Assignee({ head, isSaving, onAssign }: { head: Case; isSaving: boolean; onAssign: (name: string | null) => void }) {
  const me = useMe().data
  const members = useMembers().data ?? []
  const active = members.filter((member) => member.disabled_at === null && !member.is_service).map(({ name }) => name)
  const names = [...new Set([...(me ? [me.name] : []), ...(head.assignee ? [head.assignee.name] : []), ...active])]
  return (
    <select aria-label="Assignee" className={styles.select} value={head.assignee?.name ?? ''} disabled={isSaving} onChange={(event) => onAssign(event.target.value || null)}>
      <option value="">No assignee</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name === me?.name ? `${name} (me)` : name}
        </option>
      ))}
    </select>
  )
}

function Tags({ tags, onTags }: { tags: readonly string[]; onTags: (tags: string[]) => void }) {
  const [draft, setDraft] = useState<string | null>(null)
  if (draft === null) {
    return (
      <span className={styles.tags}>
        {tags.map((tag) => (
          <Tag key={tag}>{tag}</Tag>
        ))}
        <button type="button" className={styles.cite} onClick={() => setDraft(tags.join(' '))}>
          {tags.length > 0 ? 'Edit tags' : 'Add tags'}
        </button>
      </span>
    )
  }
  const save = () => {
    setDraft(null)
    const next = tagsIn(draft)
    if (next.join(' ') !== tags.join(' ')) onTags(next)
  }
  return (
    <input
      ref={focusOnMount}
      className={styles.tagInput}
      aria-label="Tags"
      placeholder="postgres night"
      value={draft}
      maxLength={400}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save()
        if (event.key === 'Escape') setDraft(null)
      }}
    />
  )
}
