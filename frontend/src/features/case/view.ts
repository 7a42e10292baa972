import type { Citation, Clause, Evidence, Finding, Profile } from '../../api'
import type { ClauseNodes } from '../flamegraph'
import { citedNodes, citedProfile } from '../findings'
import type { CaseSearch } from './search'

/** What the page shows: what the address says, and else what says most. */
export type CaseView = {
  finding: Finding | undefined
  clause: Clause | null
  profile: Profile | undefined
  evidence: Evidence | undefined
  line: number | null
}

export function viewOf(search: CaseSearch, findings: readonly Finding[], profiles: readonly Profile[], evidence: readonly Evidence[]): CaseView {
  const finding = findings.find(({ id }) => id === search.finding) ?? findings[0]
  const clause = finding?.clauses.find(({ id }) => id === search.clause) ?? null
  const heaviest = finding?.clauses.filter((each) => each.state === 'TRUE' && citedProfile(each)).toSorted((a, b) => b.weight - a.weight)[0]
  const profileId = search.profile ?? (clause && citedProfile(clause)) ?? (heaviest && citedProfile(heaviest))
  const profile = profiles.find(({ id }) => id === profileId) ?? profiles[0]
  const cited = clause?.citations[0]
  const evidenceId = search.evidence ?? cited?.evidence_id ?? profile?.evidence_id
  const shown = evidence.find(({ id }) => id === evidenceId) ?? evidence.find((item) => item.sections.length > 0) ?? evidence[0]
  const line = search.line ?? (cited && cited.evidence_id === shown?.id ? cited.first_line : null)
  return { finding, clause, profile, evidence: shown, line }
}

/** The address of one citation of a condition: its lines, and its frames when it has some. */
export function searchForClause(search: CaseSearch, finding: Finding, clause: Clause, at: number): { [Key in keyof CaseSearch]: CaseSearch[Key] | undefined } {
  const citation: Citation | undefined = clause.citations[at]
  const profile = (citation?.nodes.length ? citation.profile_id : null) ?? citedProfile(clause)
  const hasFrames = profile !== undefined
  return {
    ...search,
    finding: finding.id,
    clause: clause.id,
    evidence: citation?.evidence_id ?? undefined,
    line: citation?.first_line,
    profile: profile ?? search.profile,
    view: hasFrames && search.view !== 'icicle' ? undefined : search.view,
    inverted: hasFrames ? undefined : search.inverted,
    zoom: undefined,
    node: undefined,
  }
}

/** Every condition that cites frames of a profile, of all findings on the page. */
export function clausesOn(profileId: string, findings: readonly Finding[]): ClauseNodes[] {
  return findings.flatMap((finding) =>
    finding.clauses.flatMap((clause) => {
      const nodes = citedNodes(clause, profileId)
      return nodes.size > 0 ? [{ findingId: finding.id, finding: finding.title, clauseId: clause.id, words: clause.title || clause.id.replaceAll('_', ' '), nodes }] : []
    }),
  )
}

/** Where the shown line stands among the citations of a condition; -1 when it is none of them. */
export function citationAt(clause: Clause, evidenceId: string | undefined, line: number | null): number {
  return clause.citations.findIndex((citation) => citation.evidence_id === evidenceId && citation.first_line === line)
}

/** What the page shows beside its tabs, as a link for a note: the address that has it, and what it is. */
export function markdownLink(caseId: string, search: string, finding: Finding | undefined): string {
  const said = new URLSearchParams(search)
  said.delete('tab')
  if (finding && !said.has('finding')) said.set('finding', finding.id)
  const words = said.has('line') ? 'these lines' : (finding?.title ?? 'this view')
  return `[${words.replaceAll(/[[\]]/g, '')}](/cases/${caseId}${said.size > 0 ? `?${said}` : ''})`
}
