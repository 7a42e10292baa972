import { useQuery } from '@tanstack/react-query'
import { client, take, takePages } from './client'
import { keys } from './keys'
import type { paths } from './schema.gen'
import type { Findings } from './types'

export function useFindings(caseId: string) {
  return useQuery({
    queryKey: keys.findings(caseId),
    queryFn: async () => {
      const pages = await takePages((query) => client.GET('/api/v1/cases/{case_id}/findings', { params: { path: { case_id: caseId }, query } }))
      // Metadata comes from the first page, the oldest if the findings changed between requests.
      return { ...pages[0], items: pages.flatMap((page) => page.items).filter((item) => item.kind === 'signature') } as Findings
    },
  })
}

export type Tracker = NonNullable<NonNullable<paths['/api/v1/cases/{case_id}/issue']['get']['parameters']['query']>['for']>

/** Title and body of an issue about a case or one of its findings; `view` is the page that it links. */
export function fetchIssue(caseId: string, tracker: Tracker, view: string, finding?: string) {
  return take(client.GET('/api/v1/cases/{case_id}/issue', { params: { path: { case_id: caseId }, query: { for: tracker, view, ...(finding && { finding }) } } }))
}

export function useAnalyses(caseId: string) {
  return useQuery({
    queryKey: keys.analyses(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/analyses', { params: { path: { case_id: caseId } } })),
  })
}

export function useOverview(caseId: string) {
  return useQuery({
    queryKey: keys.overview(caseId),
    queryFn: () => take(client.GET('/api/v1/cases/{case_id}/overview', { params: { path: { case_id: caseId } } })),
  })
}

/** URL of the file that detects a signature outside Casebook. */
export function detectionUrl(area: string, name: string, detection: string): string {
  return `/api/v1/signatures/${encodeURIComponent(area)}/${encodeURIComponent(name)}/detection/${encodeURIComponent(detection)}`
}

/** How often each fix of a signature worked, by closed cases. */
export function useFixOutcomes(area: string, name: string, isEnabled = true) {
  return useQuery({
    enabled: isEnabled,
    queryKey: keys.fixOutcomes(area, name),
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}/outcomes', { params: { path: { area, name } } })),
    staleTime: 60_000,
  })
}

export function useSignature(area: string, name: string) {
  return useQuery({
    queryKey: keys.signature(area, name),
    queryFn: () => take(client.GET('/api/v1/signatures/{area}/{name}', { params: { path: { area, name } } })),
    staleTime: 300_000,
  })
}
