import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import type { LibraryCreate, LibraryUpdate } from './types'

const LIBRARIES = ['settings', 'libraries'] as const
const BUSY_MS = 1500
const IDLE_MS = 30_000

/** Libraries of teams by name; often while a version is read. */
export const useLibraries = () =>
  useQuery({
    queryKey: [...LIBRARIES, 'all'],
    queryFn: () => take(client.GET('/api/v1/libraries', { params: { query: { limit: 100 } } })),
    refetchInterval: ({ state }) => (state.data?.items.some((library) => library.newest?.state === 'pulling') ? BUSY_MS : IDLE_MS),
  })

/** Versions of a library, newest first. */
export const useLibraryVersions = (name: string, isReading: boolean) =>
  useInfiniteQuery({
    queryKey: [...LIBRARIES, 'versions', name],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/libraries/{name}/versions', { params: { path: { name }, query: { limit: 20, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: isReading ? BUSY_MS : false,
  })

/** Retro-hunts, newest first; often while one is in progress. */
export const useHunts = () =>
  useQuery({
    queryKey: [...LIBRARIES, 'hunts'],
    queryFn: () => take(client.GET('/api/v1/hunts', { params: { query: { limit: 20 } } })),
    refetchInterval: ({ state }) => (state.data?.items.some((hunt) => hunt.state === 'running') ? BUSY_MS : IDLE_MS),
  })

/** Cases that a hunt changes, from new to old. */
export const useHuntedCases = (hunt: string, isRunning: boolean) =>
  useInfiniteQuery({
    queryKey: [...LIBRARIES, 'hunted', hunt],
    queryFn: ({ pageParam: cursor }) => take(client.GET('/api/v1/hunts/{hunt_id}/cases', { params: { path: { hunt_id: hunt }, query: { limit: 50, ...(cursor && { cursor }) } } })),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: isRunning ? BUSY_MS : false,
  })

function useLibraryMutation<Input, Output>(action: (input: Input) => Promise<Output>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: () => cache.invalidateQueries({ queryKey: LIBRARIES }) })
}
export const useAddLibrary = () => useLibraryMutation((body: LibraryCreate) => take(client.POST('/api/v1/libraries', { body })))
/** Changes where a Git library is pulled from. */
export const useUpdateLibrary = () =>
  useLibraryMutation(({ name, ...body }: LibraryUpdate & { name: string }) => take(client.PATCH('/api/v1/libraries/{name}', { params: { path: { name } }, body })))
/** Uploads an archive as the next version of a library. */
export const useUploadLibrary = () =>
  useLibraryMutation(({ name, file }: { name: string; file: File }) =>
    take(
      client.PUT('/api/v1/libraries/{name}/archive', {
        params: { path: { name } },
        // The schema describes the bytes as text.
        body: file as unknown as string,
        bodySerializer: (body) => body,
        headers: { 'Content-Type': 'application/octet-stream' },
      }),
    ),
  )
export const usePullLibrary = () => useLibraryMutation((name: string) => take(client.POST('/api/v1/libraries/{name}/pull', { params: { path: { name } } })))
export const useRetireLibrary = () => useLibraryMutation((name: string) => take(client.POST('/api/v1/libraries/{name}/retire', { params: { path: { name } } })))
export const useActivateVersion = () =>
  useLibraryMutation(({ name, version, unchecked }: { name: string; version: string; unchecked: boolean }) =>
    take(client.POST('/api/v1/libraries/{name}/versions/{version_id}/activate', { params: { path: { name, version_id: version } }, body: { unchecked } })),
  )
export const useBeginHunt = () =>
  useLibraryMutation(({ library, version, applies }: { library: string; version: string; applies: boolean }) => take(client.POST('/api/v1/hunts', { body: { library, version_id: version, applies } })))
export const useCancelHunt = () => useLibraryMutation((hunt: string) => take(client.POST('/api/v1/hunts/{hunt_id}/cancel', { params: { path: { hunt_id: hunt } } })))
export const useResumeHunt = () => useLibraryMutation((hunt: string) => take(client.POST('/api/v1/hunts/{hunt_id}/resume', { params: { path: { hunt_id: hunt } } })))
