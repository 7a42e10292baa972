import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Clause, type Evidence, type Finding, type Findings, useFixOutcomes, useIsGuest, useLabels, useOverview } from '../../api'
import { Notice } from '../../ui'
import { claimOf, commandValues, CopyAs, FindingCard, FindingList, FindingPicker, isListed } from '../findings'
import { ActionLoop, HungTools, RecordRun, RunList } from '../captures'
import { LabelPanel, labelsOf, opinionMark } from '../labels'
import { Assessed, type Diagnosis, leadingSignature, Matrix, OverviewPanel } from '../overview'
import styles from './case.module.css'

type Props = {
  caseId: string
  findings: UseQueryResult<Findings>
  shown: readonly Finding[]
  selected: Finding | undefined
  selectedClause: string | undefined
  /** What the title of the page says, if it is the headline. */
  diagnosis: Diagnosis | undefined
  isSettled: boolean
  evidence: readonly Evidence[]
  analyses: ReactNode
  onFinding: (finding: Finding) => void
  onEvidence: (evidenceId: string) => void
  onLine: (evidenceId: string, line: number) => void
  onClause: (finding: Finding, clause: Clause, citation: number) => void
  children: ReactNode
}

/** The overview, findings by rank, what else it could be, and further panels; without a finding the system overview leads. */
export function FindingsColumn({ caseId, findings, shown, selected, selectedClause, diagnosis, isSettled, evidence, analyses, onFinding, onEvidence, onLine, onClause, children }: Props) {
  const hasEvidence = evidence.length > 0
  const hasRead = evidence.some(({ state }) => state === 'read')
  const listed = shown.filter(isListed)
  const hasNoFinding = findings.data !== undefined && listed.length === 0
  const labels = useLabels(caseId).data ?? []
  const isGuest = useIsGuest()
  const overview = useOverview(caseId).data
  const [area = '', signature = ''] = selected?.signature.split('/') ?? []
  const outcomes = useFixOutcomes(area, signature, !isGuest && selected !== undefined).data?.items ?? []
  const isAnswer = selected?.verdict === 'match' || selected?.verdict === 'suspect'
  // Its finding comes first: that of the headline, or the suspicion right below it.
  const isLeading = isAnswer && leadingSignature(overview) === selected.signature
  const markOf = (finding: Finding) => opinionMark(labelsOf(finding, labels))
  const actionOf = ({ name, title }: { name: string; title: string }) => !isGuest && <RecordRun caseId={caseId} capture={name} title={title} />
  const leading = shown.find((one) => one.signature === leadingSignature(overview))
  const matrix = overview && hasRead && isSettled && (
    <Matrix matrix={overview.matrix} findings={shown} values={leading && commandValues(leading)} actionOf={actionOf} onShow={onLine} onFinding={onFinding} onClause={onClause} />
  )
  return (
    <section className={styles.findings} aria-label="Findings">
      {findings.error && (
        <Notice what="The findings could not be loaded." retry={() => void findings.refetch()}>
          {findings.error.message} Evidence is not affected.
        </Notice>
      )}
      {findings.isPending && <div className={styles.loading} role="status" aria-label="Loading findings" />}
      {!isSettled && hasEvidence && <p className={styles.soft}>{listed.length === 0 ? 'No findings yet; reading evidence.' : `${listed.length} ${listed.length === 1 ? 'finding' : 'findings'} so far; reading evidence.`}</p>}
      {hasNoFinding && isSettled && !hasRead && (
        <div className={styles.empty} data-testid="no-findings">
          <NothingRead hasEvidence={hasEvidence} />
        </div>
      )}
      {hasRead && !isAnswer && (
        <div data-testid={hasNoFinding && isSettled ? 'no-findings' : undefined}>
          <OverviewPanel caseId={caseId} onShow={onLine} matrix={matrix} isTitled={diagnosis !== undefined && overview?.headline.signature === ''} />
        </div>
      )}
      {hasNoFinding && overview?.headline.kind !== 'no evidence' && analyses}
      {listed.length > 1 && (
        <>
          <FindingPicker findings={listed} selectedId={selected?.id} onSelect={onFinding} />
          <FindingList label="Findings" findings={listed} selectedId={selected?.id} markOf={markOf} onSelect={onFinding} isCollapsible />
        </>
      )}
      {selected && (
        <FindingCard
          finding={selected}
          selectedClause={selectedClause}
          onClause={(clause, at) => onClause(selected, clause, at)}
          linkOf={linkOf}
          isTitled={isLeading && diagnosis?.text.includes(claimOf(selected))}
          assessed={isLeading && overview && <Assessed overview={overview} above={diagnosis?.statement} onShow={onLine} />}
          matrix={isLeading && matrix}
          loopOf={(fix, values) => <ActionLoop key={selected.id} caseId={caseId} finding={selected} fix={fix} values={values} canChange={!isGuest} />}
          outcomes={outcomes}
          copyAs={<CopyAs caseId={caseId} finding={selected.id} />}
          labels={!isGuest && <LabelPanel key={selected.id} caseId={caseId} finding={selected} />}
        />
      )}
      {isAnswer && !isLeading && matrix}
      {hasRead && isAnswer && <OverviewPanel caseId={caseId} onShow={onLine} isBelowFinding hasAlarmAbove={isLeading} />}
      <RunList caseId={caseId} onShow={onEvidence} />
      {hasEvidence && !isGuest && <HungTools caseId={caseId} evidence={evidence} />}
      {children}
      {!hasNoFinding && analyses}
    </section>
  )
}

const linkOf = (id: string) => {
  const [area = '', name = ''] = id.split('/')
  return (
    <>
      <SignatureLink id={id} />{' '}
      {name && (
        <Link to="/signatures/$area/$name/story" params={{ area, name }}>
          Story
        </Link>
      )}
    </>
  )
}

/** Explains what is missing before anything can be judged. */
function NothingRead({ hasEvidence }: { hasEvidence: boolean }) {
  const [head, rest] = hasEvidence
    ? ['No file was read.', 'The evidence list shows the reason for each file. Drop the text output of a tool on this page, or paste it.']
    : ['No evidence yet.', 'Drop files anywhere on this page, or paste terminal output.']
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
