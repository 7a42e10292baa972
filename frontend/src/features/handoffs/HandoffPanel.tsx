import { useState } from 'react'
import { type Evidence, useHandoffs } from '../../api'
import { Button, Notice } from '../../ui'
import { BeginForm } from './BeginForm'
import { HandoffCard } from './HandoffCard'
import styles from './handoffs.module.css'

type Props = { caseId: string; evidence: readonly Evidence[] }

/** Give the case to others: choose, look at what redaction did, offer, follow. */
export function HandoffPanel({ caseId, evidence }: Props) {
  const handoffs = useHandoffs(caseId)
  const [isAnother, setIsAnother] = useState(false)
  if (handoffs.error) {
    return (
      <Notice what="The handoffs of this case cannot be shown." retry={() => void handoffs.refetch()}>
        {handoffs.error.message} The case itself is not affected.
      </Notice>
    )
  }
  if (!handoffs.data) return <p role="status">Loading the handoffs…</p>
  const isFirst = handoffs.data.length === 0
  return (
    <div className={styles.panel} data-testid="handoffs">
      {isFirst || isAnother ? (
        <BeginForm caseId={caseId} evidence={evidence} onBegun={() => setIsAnother(false)} {...(!isFirst && { onCancel: () => setIsAnother(false) })} />
      ) : (
        <p>
          <Button onClick={() => setIsAnother(true)}>Hand over again</Button>
        </p>
      )}
      {handoffs.data.map((handoff) => (
        <HandoffCard key={handoff.id} caseId={caseId} handoff={handoff} />
      ))}
    </div>
  )
}
