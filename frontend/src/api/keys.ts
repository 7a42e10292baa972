/** Names of cached answers; everything of one case starts with `['case', id]`. */
export const keys = {
  me: ['me'] as const,
  limits: ['limits'] as const,
  cases: ['cases'] as const,
  caseList: (q: string, state: string, sort: string) => ['cases', q, state, sort] as const,
  case: (caseId: string) => ['case', caseId] as const,
  caseHead: (caseId: string) => ['case', caseId, 'head'] as const,
  evidence: (caseId: string) => ['case', caseId, 'evidence'] as const,
  analyses: (caseId: string) => ['case', caseId, 'analyses'] as const,
  findings: (caseId: string) => ['case', caseId, 'findings'] as const,
  profiles: (caseId: string) => ['case', caseId, 'profiles'] as const,
  facts: (caseId: string, name: string) => ['case', caseId, 'facts', name] as const,
  graph: (profileId: string, view: unknown) => ['graph', profileId, view] as const,
  view: (kind: string, profileId: string, query: unknown) => ['view', kind, profileId, query] as const,
  lines: (evidenceId: string, page: number) => ['lines', evidenceId, page] as const,
  signatures: ['signatures'] as const,
  signature: (area: string, name: string) => ['signature', area, name] as const,
}
