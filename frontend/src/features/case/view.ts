import type { Citation, Clause, Evidence, Finding, Profile } from '../../api'
import type { ClauseNodes } from '../flamegraph'
import { citedNodes, citedProfile, isListed } from '../findings'
import type { CaseSearch } from './search'

/** What the page shows: chosen by URL parameters, by default the best evidence of the first finding. */
export type CaseView = {
  finding: Finding | undefined
  clause: Clause | null
  profile: Profile | undefined
  evidence: Evidence | undefined
  line: number | null
  /** The lines of the shown file that prove the headline of the overview, when no condition does. */
  proof: Range | null
  /** Whether nobody chose the profile, and it is of another host than the lines that prove. */
  isBeside: boolean
}

export type Range = { first: number; last: number }
/** The lines that prove the headline of the overview. */
export type Lead = { evidence_id: string; first_line: number; last_line: number }

const ROLES = ['core', 'corroborates', 'context']

const isProof = ({ state, role, citations }: Clause) => state === 'TRUE' && role !== 'rival' && citations.length > 0

/** The condition that proves a finding best: met, cited, by role and weight, with frames before lines. */
export function strongestClause(finding: Finding): Clause | null {
  const [best] = finding.clauses
    .filter(isProof)
    .toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || b.weight - a.weight || Number(citedProfile(b) !== undefined) - Number(citedProfile(a) !== undefined))
  return best ?? null
}

/** Resolves URL parameters against the loaded case; unknown ids fall back to the defaults, which are no near misses. */
export function viewOf(search: CaseSearch, findings: readonly Finding[], profiles: readonly Profile[], evidence: readonly Evidence[], lead?: Lead, previousProfile?: string): CaseView {
  const finding = findings.find(({ id }) => id === search.finding) ?? findings.find(isListed)
  const isAnswer = finding?.verdict === 'match' || finding?.verdict === 'suspect'
  // Lines and profiles that were chosen are not replaced by the proof.
  const isChosen = search.evidence !== undefined || search.line !== undefined || search.profile !== undefined
  const chosen = finding?.clauses.find(({ id }) => id === search.clause)
  const clause = chosen ?? (finding && isAnswer && !isChosen ? strongestClause(finding) : null)
  const heaviest = finding?.clauses.filter((each) => each.state === 'TRUE' && citedProfile(each)).toSorted((a, b) => b.weight - a.weight)[0]
  const profileId = search.profile ?? (clause && citedProfile(clause)) ?? (heaviest && citedProfile(heaviest))
  const proof = isAnswer ? undefined : lead
  const profile = [profileId, previousProfile].map((id) => profiles.find((each) => each.id === id)).find(Boolean) ?? profiles.find((each) => each.evidence_id === proof?.evidence_id) ?? profiles[0]
  const cited = clause?.citations[0] ?? (isChosen ? undefined : proof)
  const evidenceId = search.evidence ?? cited?.evidence_id ?? profile?.evidence_id
  const shown = evidence.find(({ id }) => id === evidenceId) ?? evidence.find((item) => item.sections.length > 0) ?? evidence[0]
  const line = search.line ?? (cited && cited.evidence_id === shown?.id ? cited.first_line : null)
  const isProven = !clause && proof !== undefined && proof.evidence_id === shown?.id
  const graphed = evidence.find(({ id }) => id === profile?.evidence_id)
  const isBeside = search.profile === undefined && line !== null && graphed !== undefined && shown !== undefined && graphed.host !== shown.host
  return { finding, clause, profile, evidence: shown, line, proof: isProven ? { first: proof.first_line, last: proof.last_line } : null, isBeside }
}

/** The URL parameters of one citation of a condition: its lines, and its frames if any. */
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

/** The conditions of all findings that cite frames of a profile. */
export function clausesOn(profileId: string, findings: readonly Finding[]): ClauseNodes[] {
  return findings.flatMap((finding) =>
    finding.clauses.flatMap((clause) => {
      const nodes = citedNodes(clause, profileId)
      return nodes.size > 0 ? [{ findingId: finding.id, finding: finding.title, clauseId: clause.id, label: clause.title || clause.id.replaceAll('_', ' '), nodes }] : []
    }),
  )
}

/** The index of the citation at the shown line; -1 when there is none. */
export function citationAt(clause: Clause, evidenceId: string | undefined, line: number | null): number {
  return clause.citations.findIndex((citation) => citation.evidence_id === evidenceId && citation.first_line === line)
}

/** A Markdown link to the current view, without its tab. */
export function markdownLink(caseId: string, search: string, finding: Finding | undefined): string {
  const params = new URLSearchParams(search)
  params.delete('tab')
  if (finding && !params.has('finding')) params.set('finding', finding.id)
  const label = params.has('line') ? 'these lines' : (finding?.title ?? 'this view')
  return `[${label.replaceAll(/[[\]]/g, '')}](/cases/${caseId}${params.size > 0 ? `?${params}` : ''})`
}
