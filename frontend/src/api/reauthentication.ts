import { useMutation } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { client, take } from './client'
import { Problem } from './problem'

type Answer = (isConfirmed: boolean) => void

let waiting: Answer[] = []
let isAsking = false
const listeners = new Set<() => void>()

function set(asking: boolean): void {
  isAsking = asking
  for (const listener of listeners) listener()
}

/** Ask the person to confirm the sign-in; true when they did. Requests made meanwhile share one dialog. */
function requestConfirmation(): Promise<boolean> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    set(true)
  })
}

/** Close the dialog; the requests that wait for it go on, or fail. */
export function answerConfirmation(isConfirmed: boolean): void {
  const answers = waiting
  waiting = []
  set(false)
  for (const answer of answers) answer(isConfirmed)
}

/** Whether a request waits for the person to confirm the sign-in. */
export function useIsConfirmationNeeded(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => isAsking,
  )
}

/**
 * `action`, repeated once the person has confirmed the sign-in if the server demands it.
 *
 * @throws Problem `ReauthenticationNeeded` if they cancel.
 */
export async function withConfirmation<Output>(action: () => Promise<Output>): Promise<Output> {
  try {
    return await action()
  } catch (error) {
    const isRefused = error instanceof Problem && error.code === 'ReauthenticationNeeded'
    if (!isRefused || !(await requestConfirmation())) throw error
    return action()
  }
}

/** Confirm the sign-in with the password, and a TOTP code if enabled. */
export const useConfirmSignIn = () =>
  useMutation({ mutationFn: (body: { password: string; code: string }) => take(client.POST('/api/v1/session/confirm', { body })) })

/**
 * Confirm the sign-in of an account without a password by a new one-time token. The page is left when the token is of
 * another account.
 */
export const useSignInAgain = () =>
  useMutation({
    mutationFn: async ({ token, name }: { token: string; name: string }) => {
      await take(client.POST('/api/v1/session', { body: { token } }))
      const me = await take(client.GET('/api/v1/me'))
      if (me.name !== name) window.location.replace('/')
    },
  })
