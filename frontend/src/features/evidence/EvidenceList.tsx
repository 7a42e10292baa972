import { useState } from 'react'
import type { Evidence } from '../../api'
import { useDeleteEvidence, useRestoreEvidence, useRetryEvidence } from '../../api'
import { format } from '../../profile'
import { Button, Tag, useToast } from '../../ui'
import styles from './evidence.module.css'
import { ParseReport } from './ParseReport'
import { formatsOf, isBusy, nameOf, skippedLines, STATE_TONES, STATE_WORDS } from './words'

const MEMBERS_AT_ONCE = 200

type Props = { caseId: string; evidence: readonly Evidence[]; selectedId: string | undefined; onShow: (evidenceId: string) => void }

/** Every file of the case: what became of it, what was read, what was not. */
export function EvidenceList({ caseId, evidence, selectedId, onShow }: Props) {
  const top = evidence.filter((item) => item.parent_id === null)
  return (
    <ul className={styles.list} aria-label="Evidence" data-testid="evidence-list">
      {top.map((item) => {
        const members = evidence.filter((member) => member.parent_id === item.id)
        return (
          <li key={item.id}>
            <EvidenceRow caseId={caseId} item={item} isSelected={item.id === selectedId} onShow={onShow} />
            {members.length > 0 && (
              <details className={styles.members} open={members.length <= 12 || members.some((member) => member.id === selectedId)}>
                <summary>{members.length} members</summary>
                <ul>
                  {members.slice(0, MEMBERS_AT_ONCE).map((member) => (
                    <li key={member.id}>
                      <EvidenceRow caseId={caseId} item={member} isSelected={member.id === selectedId} onShow={onShow} />
                    </li>
                  ))}
                </ul>
                {members.length > MEMBERS_AT_ONCE && <p className={styles.soft}>and {members.length - MEMBERS_AT_ONCE} more, all judged</p>}
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function EvidenceRow({ caseId, item, isSelected, onShow }: { caseId: string; item: Evidence; isSelected: boolean; onShow: (id: string) => void }) {
  const [isOpen, setIsOpen] = useState(false)
  const say = useToast()
  const retry = useRetryEvidence(caseId)
  const restore = useRestoreEvidence(caseId)
  const remove = useDeleteEvidence(caseId)
  const name = nameOf(item)
  const complain = (error: Error) => say(error.message, { isError: true })
  const undo = () => void restore.mutateAsync(item.id).catch(complain)
  // A promise, not callbacks of the mutation: those fall silent with this row, which may leave the list before the answer is told.
  const discard = () => void remove.mutateAsync(item.id).then(() => say(`${name} is no longer part of this case.`, { undo }), complain)
  return (
    <div className={styles.item} data-selected={isSelected || undefined} data-testid="evidence-row" data-state={item.state}>
      <div className={styles.itemLine}>
        <Tag tone={STATE_TONES[item.state]}>{STATE_WORDS[item.state]}</Tag>
        <button type="button" className={styles.name} onClick={() => onShow(item.id)} title={`Show the raw text of ${name}`}>
          {name}
        </button>
        <span className={styles.soft}>{format.bytes(item.size_bytes)}</span>
        <span className={styles.formats}>{formatsOf(item)}</span>
        {isBusy(item) && <progress className={styles.progress} value={item.progress_share ?? undefined} max={1} aria-label={`Reading ${name}`} />}
        <span className={styles.actions}>
          {item.sections.length > 0 && (
            <Button look="quiet" aria-expanded={isOpen} aria-label={`Parse report of ${name}`} onClick={() => setIsOpen(!isOpen)}>
              {skippedLines(item) > 0 ? `Report, ${format.count(skippedLines(item))} skipped` : 'Report'}
            </Button>
          )}
          {(item.state === 'failed' || item.state === 'rejected') && (
            <Button onClick={() => retry.mutate(item.id, { onError: complain })} disabled={retry.isPending}>
              Read again
            </Button>
          )}
          {item.parent_id === null && (
            <Button look="quiet" aria-label={`Remove ${name}`} onClick={discard} disabled={remove.isPending}>
              Remove
            </Button>
          )}
        </span>
      </div>
      {item.reason && (
        <p className={styles.reason} data-testid="evidence-reason">
          {item.reason}
        </p>
      )}
      {item.is_duplicate_of && <p className={styles.soft}>The same bytes are already in this case; they count once.</p>}
      {isOpen && <ParseReport evidence={item} />}
    </div>
  )
}
