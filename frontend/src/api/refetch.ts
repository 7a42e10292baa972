import type { QueryClient } from '@tanstack/react-query'

/**
 * Fetch again what changed on the server, if the page shows it.
 *
 * A first answer still on its way may be older than the change, and `invalidateQueries` lets it stand as current:
 * such a query is fetched once more after it.
 */
export async function refetchChanged(cache: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  const first = cache.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: ({ state }) => state.data === undefined })
  await cache.invalidateQueries({ queryKey })
  const late = new Set(first.map(({ queryHash }) => queryHash))
  if (late.size > 0) await cache.invalidateQueries({ queryKey, predicate: ({ queryHash }) => late.has(queryHash) })
}
