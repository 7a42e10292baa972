import { Notice } from '../../ui'

/** Messages by error code of a failed provider sign-in. */
const MESSAGES: Readonly<Record<string, (provider: string) => string>> = {
  DeniedByProvider: (provider) => `${provider} denied the sign-in. Ask its administrator for access to Casebook, or sign in another way.`,
  LoginExpired: () => 'The sign-in expired after ten minutes, was completed already, or was started in another browser. Sign in again.',
  InvalidIdToken: (provider) => `${provider} sent an invalid ID token. Sign in again. If the error persists, ask an admin; details are in the audit log.`,
  AccountDisabled: () => 'Your account is disabled. Ask an admin to enable it.',
  Unavailable: (provider) => `${provider} does not respond. Try again in a minute, or sign in another way.`,
}

type Props = { code: string; provider: string }

/** Error message of a failed provider sign-in. */
export function SignInError({ code, provider }: Props) {
  const message = MESSAGES[code]?.(provider) ?? 'Sign in again.'
  return <Notice what="Sign-in failed.">{message.charAt(0).toUpperCase() + message.slice(1)}</Notice>
}
