import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take } from './client'
import { keys } from './keys'
import type { components } from './schema.gen'

export type SharedHandoff = components['schemas']['SharedHandoff']
type Said = components['schemas']['SharedMessage']

const PASS = 'Casebook-Pass'
const headers = (pass: string) => ({ headers: { [PASS]: pass } })
const remembered = (secret: string) => `casebook-share-${secret.slice(0, 12)}`

/** The pass that this tab was given for a link: loading the page again uses no further view. */
export const passOf = (secret: string): string => sessionStorage.getItem(remembered(secret)) ?? ''

/** Open a link; this uses one of its views. */
export function useOpenShare() {
  return useMutation({
    mutationFn: (secret: string) => take(client.POST('/api/v1/shares/open', { body: { secret } })),
    onSuccess: ({ share_pass }, secret) => sessionStorage.setItem(remembered(secret), share_pass),
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

function useStep<Asked>(pass: string, step: (asked: Asked) => Promise<SharedHandoff>) {
  const cache = useQueryClient()
  return useMutation({ mutationFn: step, onSuccess: (told) => cache.setQueryData(keys.shared(pass), told) })
}

export const useAcceptShare = (pass: string) => useStep(pass, (name: string) => take(client.POST('/api/v1/shares/accept', { body: { name }, ...headers(pass) })))
export const useWriteToSender = (pass: string) => useStep(pass, (body: Said) => take(client.POST('/api/v1/shares/messages', { body, ...headers(pass) })))
export const useAnswerShare = (pass: string) => useStep(pass, (body: Said) => take(client.POST('/api/v1/shares/answer', { body, ...headers(pass) })))

export function useSharedLines(pass: string, item: number, first: number, last: number) {
  return useQuery({
    queryKey: keys.sharedLines(pass, item, first),
    queryFn: () => take(client.GET('/api/v1/shares/evidence/{item}/lines', { params: { path: { item }, query: { first, last } }, ...headers(pass) })),
    staleTime: Infinity,
  })
}

/** A file of the handoff: a picture, the bundle, the page. */
export async function sharedFile(pass: string, path: `pictures/${number}.svg` | 'bundle' | 'case.html'): Promise<Blob> {
  const answer = await fetch(`/api/v1/shares/${path}`, headers(pass))
  if (!answer.ok) throw new Error(`the service answered ${answer.status}; the link may have ended`)
  return answer.blob()
}

/** The address of a picture, for as long as the page is open. */
export function useSharedPicture(pass: string, number: number) {
  return useQuery({
    queryKey: keys.sharedPicture(pass, number),
    queryFn: async () => URL.createObjectURL(await sharedFile(pass, `pictures/${number}.svg`)),
    staleTime: Infinity,
    gcTime: Infinity,
  })
}
