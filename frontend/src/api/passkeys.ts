import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client, take, takeAll } from './client'
import { withConfirmation } from './reauthentication'

const PASSKEYS = ['settings', 'passkeys'] as const

/** Why this page can neither create nor use a passkey; empty when it can. A passkey is bound to a host name and needs HTTPS or localhost. */
export function passkeyObstacle(): string {
  if (!window.isSecureContext || !('PublicKeyCredential' in window) || !('parseCreationOptionsFromJSON' in PublicKeyCredential)) return 'Passkeys need HTTPS or http://localhost, and a current browser.'
  if (/^[\d.]+$|:/.test(window.location.hostname)) return `A passkey is bound to a host name: open http://localhost${window.location.port && `:${window.location.port}`} instead of ${window.location.hostname}.`
  return ''
}

/** The browser's words for a cancelled or refused request are for developers. */
function forPeople(error: unknown): Error {
  if (!(error instanceof DOMException)) return error as Error
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return new Error('The request was cancelled, or no passkey was chosen in time.')
  return new Error(error.name === 'InvalidStateError' ? 'This authenticator has a passkey of your account already.' : error.message)
}

type Credential = Record<string, never>

/** Lets the person choose a passkey and signs the server's challenge with it. */
async function signature(): Promise<Credential> {
  const { options } = await take(client.POST('/api/v1/session/passkey/options'))
  try {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
    return ((await navigator.credentials.get({ publicKey })) as PublicKeyCredential).toJSON() as unknown as Credential
  } catch (error) {
    throw forPeople(error)
  }
}

export const usePasskeys = () => useQuery({ queryKey: PASSKEYS, queryFn: () => takeAll((query) => client.GET('/api/v1/me/passkeys', { params: { query } })) })

/** Creates a passkey in the browser and adds it to the account. */
export function useAddPasskey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async (name: string) => {
      const { options } = await withConfirmation(() => take(client.POST('/api/v1/me/passkeys/options')))
      let credential: Credential
      try {
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
        credential = ((await navigator.credentials.create({ publicKey })) as PublicKeyCredential).toJSON() as unknown as Credential
      } catch (error) {
        throw forPeople(error)
      }
      return take(client.POST('/api/v1/me/passkeys', { body: { name, credential } }))
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: ['settings'] }),
  })
}

export function useRemovePasskey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => withConfirmation(() => take(client.DELETE('/api/v1/me/passkeys/{passkey_id}', { params: { path: { passkey_id: id } } }))),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['settings'] }),
  })
}

export function useSignInWithPasskey() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async () => take(client.POST('/api/v1/session/passkey', { body: { credential: await signature() } })),
    onSuccess: () => cache.clear(),
  })
}

/** Confirm the sign-in with a passkey of the account. */
export const useConfirmWithPasskey = () => useMutation({ mutationFn: async () => take(client.POST('/api/v1/session/confirm/passkey', { body: { credential: await signature() } })) })
