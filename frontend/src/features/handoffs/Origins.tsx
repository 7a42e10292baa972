import { type Origin, useOrigins } from '../../api'
import styles from './handoffs.module.css'
import { verdictLabel } from './labels'

/** Origin of a case imported from a handoff bundle; empty for other cases. */
export function Origins({ caseId, isJudged }: { caseId: string; isJudged: boolean }) {
  const origins = useOrigins(caseId)
  return origins.data?.map((origin) => <OriginNote key={origin.evidence_id} origin={origin} isJudged={isJudged} />)
}

function OriginNote({ origin, isJudged }: { origin: Origin; isJudged: boolean }) {
  if (origin.reason) {
    return (
      <p className={styles.origin} role="note">
        {origin.filename} is a handoff, but {origin.reason}.
      </p>
    )
  }
  const { differences, compared } = origin
  return (
    <div className={styles.origin} role="note" data-testid="origin">
      <p>
        Handed over by another Casebook ({origin.engine}): its case {origin.number}, <strong>{origin.title}</strong>. Names are pseudonyms.{' '}
        {isJudged && differences.length === 0 && `${compared === 1 ? 'Its verdict is' : `All ${compared} of its verdicts are`} the same here.`}
        {isJudged && differences.length > 0 && 'Verdicts that differ here:'}
      </p>
      {isJudged && differences.length > 0 && (
        <ul>
          {differences.map((one) => (
            <li key={`${one.host} ${one.phase} ${one.signature}`}>
              {one.title}
              {one.host && ` on ${one.host}`}
              {one.phase !== 'during' && `, ${one.phase} the incident`}: was {verdictLabel(one.before)}, is {verdictLabel(one.after)}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
