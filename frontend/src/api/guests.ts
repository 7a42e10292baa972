import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { useMe } from './session'

const KEY = ['guest'] as const

/** Whether one may send something without signing in, for how long it is kept, and what this browser sent so. */
export function useGuest() {
  return useQuery({ queryKey: KEY, queryFn: () => take(client.GET('/api/v1/guest')), staleTime: 60_000 })
}

/** Whether this browser only looks at what it sent without signing in: it changes nothing then. */
export function useIsGuest(): boolean {
  return useMe().data?.signed_in_by === 'guest'
}

/** Send text, or small files, without signing in; the answer names the case, a cookie opens it. */
export function useSendAsGuest() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (sent: string | readonly File[]) => {
      if (typeof sent === 'string') return take(client.POST('/api/v1/guest/paste', { body: { text: sent, captured_path: '' } }))
      const form = new FormData()
      for (const file of sent) form.append('files', file, file.name)
      return take(client.POST('/api/v1/guest/evidence', { body: { files: [] }, bodySerializer: () => form }))
    },
    onSuccess: () => cache.clear(),
  })
}

/** Make what was sent before signing in a case of one's own. */
export function useKeepGuestCase() {
  const cache = useQueryClient()
  return useMutation({ mutationFn: () => take(client.POST('/api/v1/guest/keep')), onSuccess: () => cache.invalidateQueries() })
}

/** Have what was sent without signing in deleted now, for good. */
export function useEndGuestCase() {
  return useMutation({ mutationFn: () => take(client.DELETE('/api/v1/guest')) })
}
