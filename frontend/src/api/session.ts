import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'

export function useMe() {
  return useQuery({ queryKey: keys.me, queryFn: () => take(client.GET('/api/v1/me')), staleTime: 300_000 })
}

/** Exchange the one-time token of the printed URL for a session cookie. */
export function useSignIn() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (token: string) => take(client.POST('/api/v1/session', { body: { token } })),
    onSuccess: () => cache.clear(),
  })
}

export function useSignOut() {
  const cache = useQueryClient()
  return useMutation({ mutationFn: () => take(client.DELETE('/api/v1/session')), onSuccess: () => cache.clear() })
}
