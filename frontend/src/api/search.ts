import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

export type CaseFacet = components['schemas']['Facet']
export type Suggestion = components['schemas']['Suggestion']
/** A column of the list of cases. */
export type ColumnName = components['schemas']['SavedSearchRead']['columns'][number]
export type SavedSearch = components['schemas']['SavedSearchRead']

/** How many cases a query finds, and their most frequent values. */
export function useCaseFacets(q: string) {
  return useQuery({
    queryKey: keys.caseFacets(q),
    queryFn: ({ signal }) => take(client.GET('/api/v1/search/facets', { params: { query: { q } }, signal })),
    placeholderData: keepPreviousData,
    retry: false,
  })
}

/** Suggestions for the term at the cursor; null asks for none. */
export function useCompletion(q: string, at: number | null) {
  return useQuery({
    queryKey: keys.completion(q, at ?? 0),
    queryFn: ({ signal }) => take(client.GET('/api/v1/search/completion', { params: { query: { q, at: at ?? 0 } }, signal })),
    enabled: at !== null,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}

export function useSavedSearches() {
  return useQuery({ queryKey: keys.savedSearches, queryFn: () => take(client.GET('/api/v1/search/saved')) })
}

export function useSaveSearch() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: components['schemas']['SavedSearchWrite']) => take(client.POST('/api/v1/search/saved', { body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.savedSearches }),
  })
}

export function useDeleteSearch() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => take(client.DELETE('/api/v1/search/saved/{search_id}', { params: { path: { search_id: id } } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.savedSearches }),
  })
}
