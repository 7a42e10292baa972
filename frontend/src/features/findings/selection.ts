import type { Clause, Finding } from '../../api'

/** What the page shows of a finding: itself, one condition, and one citation of that. */
export type Shown = { finding: Finding; clause: Clause | null }

/** The citation that has frames to outline; they are in one profile. */
export function citedNodes(clause: Clause | null, profileId: string | undefined): ReadonlySet<number> {
  return new Set((clause?.citations ?? []).filter((citation) => citation.profile_id === profileId).flatMap((citation) => citation.nodes))
}

/** The first profile with frames that a condition cites (the judge cites what decided first); undefined when it rests on lines alone. */
export function citedProfile(clause: Clause): string | undefined {
  return clause.citations.find((citation) => citation.nodes.length > 0)?.profile_id ?? undefined
}

/** Ranges of lines of one evidence that a condition rests on. */
export function citedLines(clause: Clause | null, evidenceId: string | undefined): { first: number; last: number }[] {
  return (clause?.citations ?? [])
    .filter((citation) => citation.evidence_id === evidenceId)
    .map((citation) => ({ first: citation.first_line, last: citation.last_line }))
}

/** Matches first, then by severity and certainty; near misses come last. */
export function inRank(findings: readonly Finding[]): Finding[] {
  const verdicts = ['match', 'suspect', 'unknown', 'no_match', 'not_applicable']
  const severities = ['critical', 'high', 'medium', 'low']
  return findings.toSorted(
    (a, b) =>
      Number(a.is_near_miss) - Number(b.is_near_miss) ||
      verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (b.confidence ?? 0) - (a.confidence ?? 0) ||
      b.coverage - a.coverage,
  )
}
