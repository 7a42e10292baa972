import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

export type SharedHandoff = components['schemas']['SharedHandoff']
type MessageBody = components['schemas']['SharedMessage']

const PASS = 'Casebook-Pass'
const headers = (pass: string) => ({ headers: { [PASS]: pass } })
const storageKey = (secret: string) => `casebook-share-${secret.slice(0, 12)}`

/** The stored pass of a link in this tab, so that a reload consumes no further view. */
export const passOf = (secret: string): string => sessionStorage.getItem(storageKey(secret)) ?? ''

/** Open a link; consumes one view. */
export function useOpenShare() {
  return useMutation({
    mutationFn: (secret: string) => take(client.POST('/api/v1/shares/open', { body: { secret } })),
    onSuccess: ({ share_pass }, secret) => sessionStorage.setItem(storageKey(secret), share_pass),
  })
}

export function useShared(pass: string) {
  return useQuery({
    queryKey: keys.shared(pass),
    queryFn: () => take(client.GET('/api/v1/shares/handoff', headers(pass))),
    enabled: pass !== '',
    refetchInterval: 15_000,
  })
}

function useShareMutation<Input>(pass: string, action: (input: Input) => Promise<SharedHandoff>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: action, onSuccess: (handoff) => cache.setQueryData(keys.shared(pass), handoff) })
}

export const useAcceptShare = (pass: string) => useShareMutation(pass, (name: string) => take(client.POST('/api/v1/shares/accept', { body: { name }, ...headers(pass) })))
export const useWriteToSender = (pass: string) => useShareMutation(pass, (body: MessageBody) => take(client.POST('/api/v1/shares/messages', { body, ...headers(pass) })))
export const useAnswerShare = (pass: string) => useShareMutation(pass, (body: MessageBody) => take(client.POST('/api/v1/shares/answer', { body, ...headers(pass) })))

export function useSharedLines(pass: string, item: number, first: number, last: number) {
  return useQuery({
    queryKey: keys.sharedLines(pass, item, first),
    queryFn: () => take(client.GET('/api/v1/shares/evidence/{item}/lines', { params: { path: { item }, query: { first, last } }, ...headers(pass) })),
    staleTime: Infinity,
  })
}

/** Download a file of the handoff: a flame graph, the bundle or the offline page. */
export async function sharedFile(pass: string, path: `pictures/${number}.svg` | 'bundle' | 'case.html'): Promise<Blob> {
  const response = await fetch(`/api/v1/shares/${path}`, headers(pass))
  if (!response.ok) throw new Error(`Download failed with status ${response.status}; the link may have expired.`)
  return response.blob()
}

/** Object URL of a flame graph image. */
export function useSharedPicture(pass: string, number: number) {
  return useQuery({
    queryKey: keys.sharedPicture(pass, number),
    queryFn: async () => URL.createObjectURL(await sharedFile(pass, `pictures/${number}.svg`)),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
