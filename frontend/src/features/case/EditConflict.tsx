import type { Case, CaseUpdate, Finding } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './case.module.css'
import { type Field, resolutionText, valueOf } from './edits'
import type { Conflict } from './useEdits'

type Props = { conflict: Conflict; findings: readonly Finding[]; isSaving: boolean; onMine: () => void; onTheirs: () => void }

const NAMES: Record<Field, string> = { title: 'Title', state: 'State', status: 'Status', severity: 'Severity', assignee: 'Assignee', tags: 'Tags', resolution: 'Resolution' }

/** An edit conflict: both versions of each field, and the choice between them. */
export function EditConflict({ conflict: { fields, theirs, mine }, findings, isSaving, onMine, onTheirs }: Props) {
  return (
    <section className={styles.conflict} aria-label="Edit conflict" data-testid="edit-conflict">
      <Notice what="This case was changed while you were editing it.">Nothing was overwritten. Choose which version to keep.</Notice>
      <table className={styles.sides}>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{NAMES[field]}</th>
              <td>{fieldText(theirs, field, findings)}</td>
              <td>{fieldText(mine, field, findings)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.conflictActions}>
        <Button look="primary" disabled={isSaving} onClick={onTheirs}>
          Take theirs
        </Button>
        <Button disabled={isSaving} onClick={onMine}>
          Keep mine
        </Button>
      </p>
    </section>
  )
}

function fieldText(version: Case | CaseUpdate, field: Field, findings: readonly Finding[]): string {
  if (field === 'tags') return version.tags?.join(', ') || 'none'
  if (field !== 'resolution') return (valueOf(version, field) as string | null | undefined) ?? 'not set'
  return version.resolution ? resolutionText(version.resolution, findings) : 'not set'
}
