import type { UseQueryResult } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { type Evidence, type Received, useIsGuest } from '../../api'
import { Notice, useToast } from '../../ui'
import { EvidenceList, summary } from '../evidence'
import { DropZone, UploadList } from '../uploads'
import styles from './case.module.css'

/** So many files are looked over at a glance; of more, only the count is shown until somebody asks. */
const AT_A_GLANCE = 5

type Props = { caseId: string; caseNumber: number; isJudged: boolean; evidence: UseQueryResult<Evidence[]>; selectedId: string | undefined; onShow: (evidenceId: string) => void }

/** One line about all files; the files when asked for, and by themselves while one of a few needs attention. */
export function EvidencePanel({ caseId, caseNumber, isJudged, evidence, selectedId, onShow }: Props) {
  const id = useId()
  const say = useToast()
  const isGuest = useIsGuest()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const all = evidence.data ?? []
  const needsAttention = all.length <= AT_A_GLANCE && all.some((item) => item.state !== 'read')
  const isOpen = chosen ?? needsAttention
  const welcome = ({ evidence: [first, ...others] }: Received) =>
    say(others.length === 0 ? `${first?.filename ?? 'It'} was added; reading.` : `${others.length + 1} files were added; reading.`)
  return (
    <section className={styles.evidence} aria-label="Evidence of this case">
      <div className={styles.evidenceHead}>
        <button type="button" className={styles.disclosure} aria-expanded={isOpen} aria-controls={id} onClick={() => setChosen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> Evidence{' '}
          <span className={styles.soft} data-testid="evidence-summary">
            {evidence.data ? summary(all) : 'loading…'}
          </span>
        </button>
        {!isGuest && <DropZone caseId={caseId} caseNumber={caseNumber} isCompact onPasted={welcome} />}
      </div>
      <UploadList caseId={caseId} caseNumber={caseNumber} />
      <div id={id}>
        {evidence.error && (
          <Notice what="The list of evidence could not be loaded." retry={() => void evidence.refetch()}>
            {evidence.error.message} Findings are not affected.
          </Notice>
        )}
        {isOpen && all.length > 0 && <EvidenceList caseId={caseId} isJudged={isJudged} evidence={all} selectedId={selectedId} onShow={onShow} />}
      </div>
    </section>
  )
}
