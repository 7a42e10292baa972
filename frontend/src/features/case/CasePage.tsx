import { Link } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type Clause, type Finding, Problem, useCase, useCaseEvents, useEvidence, useFindings, useFirstView, useOverview, useProfiles } from '../../api'
import { Notice, PageLoading, useKeys } from '../../ui'
import { AnalysesPanel } from '../analyses'
import { isBusy } from '../evidence'
import { inRank, isListed } from '../findings'
import { SeenBeforeBar, SimilarCases } from '../similarity'
import { HandoffPanel, Origins } from '../handoffs'
import { HostsPanel } from '../hosts'
import { Chain, Chips, Citation, diagnosisOf, leadingSignature, leadOf } from '../overview'
import { PhasesPanel } from '../phases'
import { CaseStories } from '../stories'
import { TimelinePanel } from '../timeline'
import { useIsSending } from '../uploads'
import styles from './case.module.css'
import { CaseHeader } from './CaseHeader'
import { CaseTabs } from './CaseTabs'
import { EvidencePanel } from './EvidencePanel'
import { FindingsColumn } from './FindingsColumn'
import { isMadeTitle } from './madeTitle'
import { OutcomeChain } from './OutcomeChain'
import { ProofColumn } from './ProofColumn'
import { type CaseSearch, clean } from './search'
import { preferStacks } from './stackPreference'
import { citationAt, markdownLink, searchForClause, viewOf } from './view'

/** Why tabs that compare have nothing to compare. */
function emptyTabs(hosts: readonly string[], evidence: readonly { phase: string; state: string }[]) {
  const phases = new Set(evidence.map(({ phase }) => phase))
  return {
    ...(hosts.length < 2 && { hosts: 'Compares hosts; this evidence is of one. Set the host of a file or folder under Evidence.' }),
    ...(phases.size < 2 && { phases: 'Compares phases; this evidence is of one. Set the phase of a file or folder under Evidence, or add evidence of after the change.' }),
  }
}

type Change = { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined | null }
type Props = { caseId: string; search: CaseSearch; onSearch: (search: CaseSearch, options: { replace: boolean }) => void }

/** One incident; nothing of it is shown before all of its first view is there, so that nothing moves. */
export function CasePage(props: Props) {
  return useFirstView(props.caseId) ? <LoadedCase {...props} /> : <PageLoading />
}

/** The findings of an incident, their conditions and the cited evidence side by side. */
function LoadedCase({ caseId, search, onSearch }: Props) {
  const head = useCase(caseId)
  const evidence = useEvidence(caseId)
  const findings = useFindings(caseId)
  const profiles = useProfiles(caseId)
  const connection = useCaseEvents(caseId)
  const isSending = useIsSending(head.data?.number)

  const ranked = useMemo(() => inRank(findings.data?.items ?? []), [findings.data])
  const shown = useMemo(() => ranked.filter((finding) => isListed(finding) || finding.is_near_miss), [ranked])
  const shownIds = useMemo(() => new Set(shown.map(({ id }) => id)), [shown])
  const all = evidence.data ?? []
  const overview = useOverview(caseId).data
  const lead = overview && leadOf(overview).lead?.citations[0]
  const diagnosis = useMemo(() => {
    const isNamed = head.data && !isMadeTitle(head.data.title, evidence.data ?? [])
    return isNamed || !evidence.data ? undefined : diagnosisOf(overview)
  }, [head.data, evidence.data, overview])
  const hasAfter = all.some(({ phase }) => phase === 'after')
  const leading = shown.find(({ signature }) => signature === leadingSignature(overview))
  const isSettled = (head.data?.judged ?? true) && !all.some(isBusy) && !isSending
  // While evidence is read, a heavier profile does not replace the graph that is looked at.
  const [seenProfile, setSeenProfile] = useState<string>()
  // With the findings, which say what frames the graph keeps.
  const known = findings.isPending ? [] : (profiles.data ?? [])
  const view = viewOf(search, shown, known, all, lead, isSettled ? undefined : seenProfile)
  const shownProfile = view.profile?.id
  if (shownProfile !== seenProfile) setSeenProfile(shownProfile)
  // Similar cases are searched for once all is judged, not after every file.
  const [searchedRevision, setSearchedRevision] = useState<number>()
  const judgedRevision = isSettled ? findings.data?.judged_rev : searchedRevision
  if (judgedRevision !== searchedRevision) setSearchedRevision(judgedRevision)

  const change = useCallback(
    (some: Change, replace = false) => onSearch(clean({ ...search, ...some }), { replace }),
    [onSearch, search],
  )
  const selectFinding = (finding: Finding) => onSearch(clean({ view: search.view, finding: finding.id }), { replace: false })
  const selectClause = (finding: Finding, clause: Clause, at: number) =>
    onSearch(clean(searchForClause(search, finding, clause, at)), { replace: false })
  const stepFinding = (by: number) => {
    const next = shown[shown.findIndex(({ id }) => id === view.finding?.id) + by]
    if (next) selectFinding(next)
  }
  const stepCitation = (by: number) => {
    const { clause, finding } = view
    if (!clause || !finding || clause.citations.length === 0) return
    const at = citationAt(clause, view.evidence?.id, view.line)
    const next = (at + by + clause.citations.length) % clause.citations.length
    selectClause(finding, clause, next)
  }
  useKeys({
    j: () => stepFinding(1),
    k: () => stepFinding(-1),
    // During a search of the graph, `n` is the next match.
    ...(!search.q && { n: () => stepCitation(1) }),
    p: () => stepCitation(-1),
    f: () => {
      preferStacks('flame')
      change({ view: view.profile?.has_weights === false ? 'flame' : undefined })
    },
    t: () => change({ view: 'table' }),
    l: () => change({ view: 'lanes' }),
    d: () => change({ view: 'diff' }),
    b: () => change({ view: 'waits' }),
    o: () => change({ view: 'speedscope' }),
  })
  const tab = search.wide ? undefined : search.tab
  // Before the findings are there, a link would not name the one that the view shows.
  const linkHere = findings.data && markdownLink(caseId, window.location.search, view.finding)
  const showEvidence = (id: string) => change({ tab: undefined, evidence: id, line: undefined, clause: undefined })
  const showLine = (id: string, line: number) => change({ tab: undefined, evidence: id, line, clause: undefined })
  const showFinding = (id: string) => change({ tab: undefined, finding: id, clause: undefined })
  useEffect(() => {
    document.title = head.data ? `${head.data.number} ${diagnosis?.text ?? (head.data.title || 'Untitled')} · Casebook` : 'Casebook'
  }, [head.data, diagnosis])

  // A transient error does not replace a case that is already shown.
  const isTransient = head.error instanceof Problem && head.error.isRetryable
  if (head.error && !(head.data && isTransient)) {
    const isGone = head.error instanceof Problem && [403, 404, 410].includes(head.error.status)
    return (
      <div className={styles.lone}>
        <h1>{isGone ? `Case ${caseId} is not available` : `Case ${caseId}`}</h1>
        <Notice what="This case could not be loaded." retry={() => void head.refetch()}>
          {head.error.message} {isGone && 'It may be deleted, or not shared with this account.'}
        </Notice>
        {isGone && <Link to="/">All cases</Link>}
      </div>
    )
  }
  const isLoaded = [head.data, evidence.data, findings.data].every((data) => data !== undefined)
  return (
    <div className={styles.page} data-testid="case-page" data-judged={isLoaded && isSettled}>
      {head.data && !search.wide && <SeenBeforeBar caseId={caseId} />}
      <CaseHeader caseId={caseId} head={head.data} findings={findings.data?.items ?? []} connection={connection} diagnosis={diagnosis} onShow={showLine}>
        {diagnosis && <Chips chips={diagnosis.chips} mayBe={diagnosis.mayBe} onShow={showLine} />}
        {diagnosis?.statement && <Citation statement={diagnosis.statement} onShow={showLine} />}
        {diagnosis && overview && (hasAfter ? <OutcomeChain caseId={caseId} chain={overview.chain} leading={leading} onShow={showLine} /> : <Chain chain={overview.chain} onShow={showLine} />)}
      </CaseHeader>
      {!head.data && <PageLoading />}
      {head.data && !search.wide && (
        <EvidencePanel
          caseId={caseId}
          caseNumber={head.data.number}
          isJudged={head.data.judged}
          evidence={evidence}
          selectedId={view.evidence?.id}
          onShow={showEvidence}
          tabs={<CaseTabs tab={tab} counts={{ findings: shown.filter(isListed).length, hosts: head.data.hosts.length }} empty={emptyTabs(head.data.hosts, all)} onTab={(next) => change({ tab: next })} />}
        />
      )}
      {head.data && !search.wide && <Origins caseId={caseId} isJudged={isLoaded && isSettled} />}
      {head.data && tab && (
        <div className={styles.tabPanel}>
          {tab === 'timeline' && <TimelinePanel caseId={caseId} linkHere={linkHere} onShow={(id, line) => (line === undefined ? showEvidence(id) : showLine(id, line))} />}
          {tab === 'hosts' && <HostsPanel caseId={caseId} choice={search} shown={shownIds} onChoice={change} onFinding={showFinding} onShow={showLine} />}
          {tab === 'phases' && <PhasesPanel caseId={caseId} shown={shownIds} onFinding={showFinding} />}
          {tab === 'handoff' && <HandoffPanel caseId={caseId} evidence={all} />}
        </div>
      )}
      {head.data && !tab && (
        <div className={styles.columns} data-wide={search.wide}>
          {!search.wide && (
            <FindingsColumn
              caseId={caseId}
              findings={findings}
              shown={shown}
              selected={view.finding}
              selectedClause={view.clause?.id}
              diagnosis={diagnosis}
              isSettled={isSettled}
              evidence={all}
              analyses={<AnalysesPanel caseId={caseId} onShow={showLine} />}
              onFinding={selectFinding}
              onEvidence={showEvidence}
              onLine={showLine}
              onClause={selectClause}
            >
              <CaseStories caseId={caseId} onShow={showEvidence} />
              <SimilarCases caseId={caseId} revision={judgedRevision} />
            </FindingsColumn>
          )}
          <ProofColumn
            caseId={caseId}
            search={search}
            view={view}
            profiles={profiles.data ?? []}
            isLoading={profiles.isPending || findings.isPending || evidence.isPending || (!isSettled && !(lead && overview?.headline.kind === 'statement'))}
            isReading={!isSettled}
            findings={shown}
            onChange={change}
            onClause={selectClause}
            onStepCitation={stepCitation}
          />
        </div>
      )}
    </div>
  )
}
