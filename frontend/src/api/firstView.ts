import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { FirstView } from './types'

/** Puts each part of the view where the query of its own path looks for it; parts that exist already are kept. */
export function spread(cache: QueryClient, caseId: string, view: FirstView): void {
  const parts: [readonly unknown[], unknown][] = [
    [keys.caseHead(caseId), view.case],
    [keys.caseAccess(caseId), view.access],
    [keys.evidence(caseId), view.evidence],
    [keys.uploads(caseId), view.uploads],
    [keys.findings(caseId), { ...view.findings, items: view.findings.items.filter((item) => item.kind === 'signature') }],
    [keys.overview(caseId), view.overview],
    [keys.analyses(caseId), view.analyses],
    [keys.captures(caseId), view.captures],
    [keys.labels(caseId), view.labels],
    [keys.incident(caseId), view.incident],
    [keys.origins(caseId), view.origins],
    [keys.profiles(caseId), view.profiles],
    [keys.seenBefore(caseId), view.seen_before],
    [keys.caseStories(caseId), view.stories],
    ...Object.entries(view.facts).map(([name, facts]): [readonly unknown[], unknown] => [keys.facts(caseId, name), facts]),
  ]
  for (const [key, data] of parts) if (data !== null && cache.getQueryData(key) === undefined) cache.setQueryData(key, data)
}

/** Whether all that the page of a case shows at once was fetched, in one request; a failure leaves it to the requests of each part. */
export function useFirstView(caseId: string): boolean {
  const cache = useQueryClient()
  const view = useQuery({
    queryKey: keys.firstView(caseId),
    queryFn: async () => {
      spread(cache, caseId, await take(client.GET('/api/v1/cases/{case_id}/view', { params: { path: { case_id: caseId } } })))
      return true
    },
    enabled: cache.getQueryData(keys.caseHead(caseId)) === undefined,
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  })
  return !view.isLoading
}
