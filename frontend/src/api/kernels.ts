import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { keys } from './keys'
import { problemFrom, unreachable } from './problem'
import type { components, paths } from './schema.gen'

export type KernelRead = components['schemas']['KernelRead']
export type KernelDetail = components['schemas']['KernelDetailRead']
export type KernelStatus = components['schemas']['FleetProblem']['status']
export type Clearing = components['schemas']['ClearingRead']
export type Inventory = components['schemas']['InventoryRead']
export type InventoryWritten = components['schemas']['InventoryWritten']
/** Filters and order of the kernels; what is absent does not filter. */
export type KernelFilter = Omit<NonNullable<paths['/api/v1/kernels']['get']['parameters']['query']>, 'limit' | 'cursor'>

/** Kernels of visible cases and inventories. */
export function useKernels(filter: KernelFilter) {
  return useInfiniteQuery({
    queryKey: [...keys.kernels, filter],
    queryFn: ({ pageParam }) => take(client.GET('/api/v1/kernels', { params: { query: { ...filter, ...(pageParam && { cursor: pageParam }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
  })
}

/** One kernel with the basis of every status. */
export function useKernel(release: string, pkg: string) {
  return useQuery({
    queryKey: [...keys.kernels, 'one', release, pkg],
    queryFn: () => take(client.GET('/api/v1/kernels/{release}', { params: { path: { release }, query: { package: pkg } } })),
  })
}

/** Hosts that run a release. */
export function useKernelHosts(release: string) {
  return useInfiniteQuery({
    queryKey: [...keys.kernels, 'hosts', release],
    queryFn: ({ pageParam }) => take(client.GET('/api/v1/kernels/hosts', { params: { query: { release, limit: 100, ...(pageParam && { cursor: pageParam }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function useInventories() {
  return useQuery({ queryKey: [...keys.kernels, 'inventories'], queryFn: () => takeAll((page) => client.GET('/api/v1/inventories', { params: { query: page } })) })
}

/** Replaces all hosts of a source by a CSV or JSON file. */
export function useReplaceInventory() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ source, file }: { source: string; file: File }): Promise<InventoryWritten> => {
      const type = file.name.endsWith('.json') ? 'application/json' : 'text/csv'
      const headers = { 'Content-Type': type }
      const response = await fetch(`/api/v1/inventories/${encodeURIComponent(source)}`, { method: 'PUT', body: file, headers, credentials: 'same-origin' }).catch(() => {
        throw unreachable()
      })
      const body: unknown = await response.json().catch(() => ({}))
      if (!response.ok) throw problemFrom(body, response.status)
      return body as InventoryWritten
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.kernels }),
  })
}

export function useDeleteInventory() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ source, team_id }: { source: string; team_id: string | null }) =>
      take(client.DELETE('/api/v1/inventories/{source}', { params: { path: { source }, query: team_id ? { team_id } : {} } })),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.kernels }),
  })
}
