import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { useMe } from './session'

const KEY = ['guest'] as const

/** Guest uploads: whether they are allowed, their retention, and the guest case of this browser. */
export function useGuest() {
  return useQuery({ queryKey: KEY, queryFn: () => take(client.GET('/api/v1/guest')), staleTime: 60_000 })
}

/** Whether the session is a guest session, which is read-only. */
export function useIsGuest(): boolean {
  return useMe().data?.signed_in_by === 'guest'
}

/** Upload text or small files as a guest. Returns the case; a cookie grants access. */
export function useSendAsGuest() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (content: string | readonly File[]) => {
      if (typeof content === 'string') return take(client.POST('/api/v1/guest/paste', { body: { text: content, captured_path: '' } }))
      const form = new FormData()
      for (const file of content) form.append('files', file, file.name)
      return take(client.POST('/api/v1/guest/evidence', { body: { files: [] }, bodySerializer: () => form }))
    },
    onSuccess: () => cache.clear(),
  })
}

/** Transfer the guest case to the signed-in account. */
export function useKeepGuestCase() {
  const cache = useQueryClient()
  return useMutation({ mutationFn: () => take(client.POST('/api/v1/guest/keep')), onSuccess: () => cache.invalidateQueries() })
}

/** Delete the guest case permanently. */
export function useEndGuestCase() {
  return useMutation({ mutationFn: () => take(client.DELETE('/api/v1/guest')) })
}
