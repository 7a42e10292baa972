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

/** End the session. Returns the provider's logout URL; null if it has none. */
export function useSignOutAtProvider() {
  const cache = useQueryClient()
  return useMutation({ mutationFn: () => take(client.POST('/api/v1/session/oidc/end')), onSuccess: () => cache.clear() })
}

/** Sign in with name and password, and a TOTP code if enabled. */
export function useSignInWithPassword() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { name: string; password: string; code: string }) => take(client.POST('/api/v1/session/password', { body })),
    onSuccess: () => cache.clear(),
  })
}

/** Additional sign-in methods, such as OpenID Connect. */
export function useSignInMethods() {
  return useQuery({ queryKey: ['login-methods'], queryFn: () => take(client.GET('/api/v1/session/ways')), staleTime: 300_000 })
}

/** Create an account with the secret of an invitation. */
export function useJoin() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: { secret: string; name: string; password: string }) => take(client.POST('/api/v1/join', { body })),
    onSuccess: () => cache.clear(),
  })
}

/** Open a case link. Returns the case. */
export function useOpenLink() {
  return useMutation({ mutationFn: (secret: string) => take(client.POST('/api/v1/links/open', { body: { secret } })) })
}
