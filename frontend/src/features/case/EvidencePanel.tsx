import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { type Evidence, type Received, useIsGuest } from '../../api'
import { Notice, useToast } from '../../ui'
import { EvidenceList, summary } from '../evidence'
import { DropZone, UploadList } from '../uploads'
import styles from './case.module.css'

/** The list opens by itself for at most this many files. */
const MAX_OPEN_FILES = 5

type Props = { caseId: string; caseNumber: number; isJudged: boolean; evidence: UseQueryResult<Evidence[]>; selectedId: string | undefined; onShow: (evidenceId: string) => void; tabs: ReactNode }

/** The tabs of the case and a summary of the evidence in one line, and its list: collapsed, unless one of a few files needs attention. */
export function EvidencePanel({ caseId, caseNumber, isJudged, evidence, selectedId, onShow, tabs }: Props) {
  const id = useId()
  const toast = useToast()
  const isGuest = useIsGuest()
  const [chosen, setChosen] = useState<boolean | null>(null)
  const all = evidence.data ?? []
  const needsAttention = all.length <= MAX_OPEN_FILES && all.some((item) => item.state !== 'read')
  const isOpen = chosen ?? needsAttention
  const confirmAdded = ({ evidence: [first, ...others] }: Received) =>
    toast(others.length === 0 ? `Added ${first?.filename ?? 'one file'}; reading it.` : `Added ${others.length + 1} files; reading them.`)
  return (
    <section className={styles.evidence} aria-label="Evidence of this case">
      <div className={styles.evidenceHead}>
        {tabs}
        <button type="button" className={styles.disclosure} aria-expanded={isOpen} aria-controls={id} onClick={() => setChosen(!isOpen)}>
          <span aria-hidden="true">{isOpen ? '▾' : '▸'}</span> Evidence{' '}
          <span className={styles.soft} data-testid="evidence-summary">
            {evidence.data ? summary(all) : 'loading…'}
          </span>
        </button>
        {!isGuest && <DropZone caseId={caseId} caseNumber={caseNumber} isCompact onPasted={confirmAdded} />}
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
