import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Clause, type Evidence, type Finding, type Findings, useIsGuest, useLabels } from '../../api'
import { Notice } from '../../ui'
import { FindingCard, FindingList, isListed, NextCaptures } from '../findings'
import { HangBox, RunList, RunSlot } from '../captures'
import { LabelPanel, labelsOf, opinionMark } from '../labels'
import styles from './case.module.css'

type Props = {
  caseId: string
  findings: UseQueryResult<Findings>
  shown: readonly Finding[]
  selected: Finding | undefined
  selectedClause: string | undefined
  isSettled: boolean
  evidence: readonly Evidence[]
  hasStacks: boolean
  onFinding: (finding: Finding) => void
  onEvidence: (evidenceId: string) => void
  onClause: (finding: Finding, clause: Clause, citation: number) => void
  children: ReactNode
}

/** The answers, best first; then what was close, and what else is to be said. */
export function FindingsColumn({ caseId, findings, shown, selected, selectedClause, isSettled, evidence, hasStacks, onFinding, onEvidence, onClause, children }: Props) {
  const hasEvidence = evidence.length > 0
  const listed = shown.filter(isListed)
  const near = shown.filter((finding) => !isListed(finding))
  const isSilent = findings.data !== undefined && listed.length === 0
  const captures = findings.data?.next_captures ?? []
  const labels = useLabels(caseId).data ?? []
  const isGuest = useIsGuest()
  const markOf = (finding: Finding) => opinionMark(labelsOf(finding, labels))
  const slotOf = ({ name, title }: { name: string; title: string }) => !isGuest && <RunSlot caseId={caseId} capture={name} title={title} />
  const titleOf = (signature: string, clause: string) =>
    findings.data?.findings.find((finding) => finding.signature === signature)?.clauses.find(({ id }) => id === clause)?.title || clause.replaceAll('_', ' ')
  return (
    <section className={styles.findings} aria-label="Findings">
      {findings.error && (
        <Notice what="The findings could not be loaded." retry={() => void findings.refetch()}>
          {findings.error.message} The evidence is safe.
        </Notice>
      )}
      {findings.isPending && <div className={styles.loading} role="status" aria-label="Loading findings" />}
      {!isSettled && hasEvidence && <p className={styles.soft}>{listed.length === 0 ? 'No finding so far; still reading.' : `${listed.length} so far; still reading.`}</p>}
      {isSilent && isSettled && (
        <div className={styles.silent} data-testid="no-findings">
          <Silence hasEvidence={hasEvidence} hasRead={evidence.some(({ state }) => state === 'read')} hasStacks={hasStacks} />
        </div>
      )}
      {listed.length > 1 && <FindingList label="Findings" findings={listed} selectedId={selected?.id} markOf={markOf} onSelect={onFinding} />}
      {selected && (
        <FindingCard
          finding={selected}
          selectedClause={selectedClause}
          onClause={(clause, at) => onClause(selected, clause, at)}
          signatureLink={<SignatureLink id={selected.signature} />}
          slotOf={slotOf}
          labels={!isGuest && <LabelPanel key={selected.id} caseId={caseId} finding={selected} />}
        />
      )}
      {near.length > 0 && (
        <div>
          <h2 className={styles.subhead}>Near misses</h2>
          <FindingList label="Near misses" findings={near} selectedId={selected?.id} markOf={markOf} onSelect={onFinding} />
        </div>
      )}
      {isSilent && isSettled && captures.length > 0 && (
        <div className={styles.silent}>
          <h2 className={styles.subhead}>What would tell more</h2>
          <NextCaptures captures={captures.map((capture) => ({ ...capture, settles: capture.settles.map(({ signature, clause }) => titleOf(signature, clause)) }))} slotOf={slotOf} />
        </div>
      )}
      <RunList caseId={caseId} onShow={onEvidence} />
      {hasEvidence && !isGuest && <HangBox caseId={caseId} evidence={evidence} />}
      {children}
    </section>
  )
}

/** Why there is no finding, and what is there instead. */
function Silence({ hasEvidence, hasRead, hasStacks }: { hasEvidence: boolean; hasRead: boolean; hasStacks: boolean }) {
  const [head, rest] = !hasEvidence
    ? ['No evidence yet.', 'Drop files anywhere on this page, or paste what the terminal says.']
    : !hasRead
      ? ['Nothing here could be read.', 'The reason stands beside each file. Add the text of a tool: drop it anywhere on this page, or paste it.']
      : [
          'Nothing in the library explains this.',
          hasStacks ? 'No known pathology fits what was read. The flame graph still shows where the time went.' : 'No known pathology fits what was read. A profile would say where the time goes.',
        ]
  return (
    <>
      <h2>{head}</h2>
      <p className={styles.soft}>{rest}</p>
    </>
  )
}

function SignatureLink({ id }: { id: string }) {
  const [area = '', name = ''] = id.split('/')
  return (
    <Link to="/signatures/$area/$name" params={{ area, name }}>
      {id}
    </Link>
  )
}
