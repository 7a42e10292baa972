import { useEffect, useState } from 'react'
import type { Evidence } from '../../api'
import { TransferRate, useDeleteEvidence, useIsGuest, useRestoreEvidence, useRetryEvidence } from '../../api'
import { format } from '../../profile'
import { Button, Tag, useToast } from '../../ui'
import { progressText } from '../uploads'
import styles from './evidence.module.css'
import { ParseReport } from './ParseReport'
import { formatsOf, isBusy, nameOf, skippedLines, STATE_TONES, stageOf } from './labels'

const MAX_MEMBERS = 200

type Props = { caseId: string; isJudged: boolean; evidence: readonly Evidence[]; selectedId: string | undefined; onShow: (evidenceId: string) => void }

/** The files of a case with state, formats, errors and actions; archives with their members. */
export function EvidenceList({ caseId, isJudged, evidence, selectedId, onShow }: Props) {
  const top = evidence.filter((item) => item.parent_id === null)
  return (
    <ul className={styles.list} aria-label="Evidence" data-testid="evidence-list">
      {top.map((item) => {
        const members = evidence.filter((member) => member.parent_id === item.id)
        return (
          <li key={item.id}>
            <EvidenceRow caseId={caseId} isJudged={isJudged} item={item} isSelected={item.id === selectedId} onShow={onShow} />
            {members.length > 0 && (
              <details className={styles.members} open={members.length <= 12 || members.some((member) => member.id === selectedId)}>
                <summary>{members.length} members</summary>
                <ul>
                  {members.slice(0, MAX_MEMBERS).map((member) => (
                    <li key={member.id}>
                      <EvidenceRow caseId={caseId} isJudged={isJudged} item={member} isSelected={member.id === selectedId} onShow={onShow} />
                    </li>
                  ))}
                </ul>
                {members.length > MAX_MEMBERS && <p className={styles.soft}>and {members.length - MAX_MEMBERS} more</p>}
              </details>
            )}
          </li>
        )
      })}
    </ul>
  )
}

type RowProps = { caseId: string; isJudged: boolean; item: Evidence; isSelected: boolean; onShow: (id: string) => void }

function EvidenceRow({ caseId, isJudged, item, isSelected, onShow }: RowProps) {
  const [isOpen, setIsOpen] = useState(false)
  const toast = useToast()
  const retry = useRetryEvidence(caseId)
  const restore = useRestoreEvidence(caseId)
  const remove = useDeleteEvidence(caseId)
  const isGuest = useIsGuest()
  const name = nameOf(item)
  const showError = (error: Error) => toast(error.message, { isError: true })
  const undo = () => void restore.mutateAsync(item.id).catch(showError)
  // mutateAsync, because the callbacks of `mutate` do not run after this row unmounts.
  const discard = () => void remove.mutateAsync(item.id).then(() => toast(`Removed ${name}.`, { undo }), showError)
  return (
    <div className={styles.item} data-selected={isSelected || undefined} data-testid="evidence-row" data-state={item.state}>
      <div className={styles.itemLine}>
        <Tag tone={STATE_TONES[item.state]}>{stageOf(item, isJudged)}</Tag>
        <button type="button" className={styles.name} onClick={() => onShow(item.id)} title={`Show the raw text of ${name}`}>
          {name}
        </button>
        <span className={styles.soft}>{format.bytes(item.size_bytes)}</span>
        {item.is_partial && <Tag tone="suspect">provisional</Tag>}
        <span className={styles.formats}>
          {formatsOf(item)}
          {item.is_partial && ' (first part; upload in progress)'}
        </span>
        {isBusy(item) && <Reading item={item} name={name} />}
        <span className={styles.actions}>
          {item.sections.length > 0 && (
            <Button look="quiet" aria-expanded={isOpen} aria-label={`Parse report of ${name}`} onClick={() => setIsOpen(!isOpen)}>
              {skippedLines(item) > 0 ? `Report, ${format.count(skippedLines(item))} skipped` : 'Report'}
            </Button>
          )}
          {!isGuest && (item.state === 'failed' || item.state === 'rejected') && (
            <Button onClick={() => retry.mutate(item.id, { onError: showError })} disabled={retry.isPending}>
              Read again
            </Button>
          )}
          {!isGuest && item.parent_id === null && (
            <Button look="quiet" aria-label={`${isBusy(item) ? 'Cancel' : 'Remove'} ${name}`} onClick={discard} disabled={remove.isPending}>
              {isBusy(item) ? 'Cancel' : 'Remove'}
            </Button>
          )}
        </span>
      </div>
      {item.reason && (
        <p className={styles.reason} data-testid="evidence-reason">
          {item.reason}
        </p>
      )}
      {item.is_duplicate_of && <p className={styles.soft}>Duplicate of another file of this case; counted once.</p>}
      {isOpen && <ParseReport evidence={item} />}
    </div>
  )
}

/** Reading progress: share, rate and time left. */
function Reading({ item, name }: { item: Evidence; name: string }) {
  const [meter] = useState(() => new TransferRate())
  const [rate, setRate] = useState(0)
  const share = item.progress_share
  const bytes = (share ?? 0) * item.size_bytes
  useEffect(() => {
    meter.add(bytes)
    const timer = setTimeout(() => setRate(meter.perSecond()), 0)
    return () => clearTimeout(timer)
  }, [meter, bytes])
  return (
    <>
      <progress className={styles.progress} value={share ?? undefined} max={1} aria-label={`Reading ${name}`} />
      {share !== null && share > 0 && <span className={styles.soft}>{progressText(bytes, item.size_bytes, rate)}</span>}
    </>
  )
}
