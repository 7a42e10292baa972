import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import type { DestinationCreate, DestinationUpdate } from './types'

const KEY = ['destinations'] as const
const WATCHED_MS = 3_000

/** A mutation that invalidates the destinations and their logs. */
function useDestinationMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: KEY }) })
}

const at = (id: string) => ({ params: { path: { destination_id: id } } })

/** Destinations of the account, of an admin all; fetched again while something is to be sent. */
export const useDestinations = () =>
  useQuery({
    queryKey: [...KEY, 'list'],
    queryFn: () => takeAll((query) => client.GET('/api/v1/destinations', { params: { query } })),
    refetchInterval: ({ state }) => (state.data?.some((one) => one.is_enabled && one.pending > 0) ? WATCHED_MS : false),
  })

/** What was sent to a destination, newest first. */
export const useDeliveries = (id: string) =>
  useInfiniteQuery({
    queryKey: [...KEY, 'log', id],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/destinations/{destination_id}/deliveries', { params: { path: { destination_id: id }, query: { limit: 20, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.items.some((one) => one.state === 'pending')) ? WATCHED_MS : false),
  })

export const useCreateDestination = () => useDestinationMutation((body: DestinationCreate) => take(client.POST('/api/v1/destinations', { body })))
export const useUpdateDestination = () =>
  useDestinationMutation(({ id, ...body }: { id: string } & DestinationUpdate) => take(client.PATCH('/api/v1/destinations/{destination_id}', { ...at(id), body })))
export const useDeleteDestination = () => useDestinationMutation((id: string) => take(client.DELETE('/api/v1/destinations/{destination_id}', at(id))))
export const useRestoreDestination = () => useDestinationMutation((id: string) => take(client.POST('/api/v1/destinations/{destination_id}/restore', at(id))))
export const useRotateDestination = () => useDestinationMutation((id: string) => take(client.POST('/api/v1/destinations/{destination_id}/rotate', at(id))))
export const useTestDestination = () => useDestinationMutation((id: string) => take(client.POST('/api/v1/destinations/{destination_id}/test', at(id))))
export const useReplayFailed = () => useDestinationMutation((id: string) => take(client.POST('/api/v1/destinations/{destination_id}/replay', at(id))))
export const useReplayDelivery = () =>
  useDestinationMutation((id: string) => take(client.POST('/api/v1/deliveries/{delivery_id}/replay', { params: { path: { delivery_id: id } } })))
