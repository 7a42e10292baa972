import { useState } from 'react'
import { type Evidence, useHandoffs } from '../../api'
import { Button, Notice } from '../../ui'
import { HandoffCard } from './HandoffCard'
import { HandoffForm } from './HandoffForm'
import styles from './handoffs.module.css'

type Props = { caseId: string; evidence: readonly Evidence[] }

/** Handoffs of a case, with a form to create one. */
export function HandoffPanel({ caseId, evidence }: Props) {
  const handoffs = useHandoffs(caseId)
  const [isCreating, setIsCreating] = useState(false)
  if (handoffs.error) {
    return (
      <Notice what="The handoffs could not be loaded." retry={() => void handoffs.refetch()}>
        {handoffs.error.message} The case is not affected.
      </Notice>
    )
  }
  if (!handoffs.data) return <p role="status">Loading handoffs…</p>
  const isFirst = handoffs.data.length === 0
  return (
    <div className={styles.panel} data-testid="handoffs">
      {isFirst || isCreating ? (
        <HandoffForm caseId={caseId} evidence={evidence} onCreated={() => setIsCreating(false)} {...(!isFirst && { onCancel: () => setIsCreating(false) })} />
      ) : (
        <p>
          <Button onClick={() => setIsCreating(true)}>Create another handoff</Button>
        </p>
      )}
      {handoffs.data.map((handoff) => (
        <HandoffCard key={handoff.id} caseId={caseId} handoff={handoff} />
      ))}
    </div>
  )
}
