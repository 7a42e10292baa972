import type { Clause, Finding } from '../../api'

/** The finding and the condition that the page shows. */
export type Shown = { finding: Finding; clause: Clause | null }

/** The nodes of a profile that a condition cites. */
export function citedNodes(clause: Clause | null, profileId: string | undefined): ReadonlySet<number> {
  return new Set((clause?.citations ?? []).filter((citation) => citation.profile_id === profileId).flatMap((citation) => citation.nodes))
}

/** The first profile with frames that a condition cites (the deciding citation is first); undefined when it cites lines only. */
export function citedProfile(clause: Clause): string | undefined {
  return clause.citations.find((citation) => citation.nodes.length > 0)?.profile_id ?? undefined
}

/** The line ranges of one evidence that a condition cites. */
export function citedLines(clause: Clause | null, evidenceId: string | undefined): { first: number; last: number }[] {
  return (clause?.citations ?? [])
    .filter((citation) => citation.evidence_id === evidenceId)
    .map((citation) => ({ first: citation.first_line, last: citation.last_line }))
}

/** Findings by verdict, causes before consequences, then by severity and certainty; near misses last. */
export function inRank(findings: readonly Finding[]): Finding[] {
  const verdicts = ['match', 'suspect', 'unknown', 'no_match', 'not_applicable']
  const severities = ['critical', 'high', 'medium', 'low']
  return findings.toSorted(
    (a, b) =>
      Number(a.is_near_miss) - Number(b.is_near_miss) ||
      verdicts.indexOf(a.verdict) - verdicts.indexOf(b.verdict) ||
      Number(a.caused_by !== '') - Number(b.caused_by !== '') ||
      severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
      (b.confidence ?? 0) - (a.confidence ?? 0) ||
      b.coverage - a.coverage,
  )
}
