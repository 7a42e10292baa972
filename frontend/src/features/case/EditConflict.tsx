import type { Case, CaseUpdate, Finding } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './case.module.css'
import { type Field, resolutionWords } from './edits'
import type { Conflict } from './useEdits'

type Props = { conflict: Conflict; findings: readonly Finding[]; isSaving: boolean; onMine: () => void; onTheirs: () => void }

const NAMES: Record<Field, string> = { title: 'Title', state: 'State', severity: 'Severity', resolution: 'How it ended' }

/** Two changed a case at once: what each wrote, and which shall stand. */
export function EditConflict({ conflict: { fields, theirs, mine }, findings, isSaving, onMine, onTheirs }: Props) {
  return (
    <section className={styles.conflict} aria-label="Two changes" data-testid="edit-conflict">
      <Notice what="Somebody changed this case while you did.">Nothing was overwritten: say whose words shall stand.</Notice>
      <table className={styles.sides}>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Theirs</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{NAMES[field]}</th>
              <td>{words(theirs, field, findings)}</td>
              <td>{words(mine, field, findings)}</td>
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

function words(told: Case | CaseUpdate, field: Field, findings: readonly Finding[]): string {
  if (field !== 'resolution') return told[field] ?? 'not said'
  return told.resolution ? resolutionWords(told.resolution, findings) : 'not said'
}
