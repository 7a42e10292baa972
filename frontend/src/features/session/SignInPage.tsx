import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSignIn, useSignInMethods, useSignInWithPasskey } from '../../api'
import { Brand, Button, Command, Notice } from '../../ui'
import { GuestBox } from '../guests'
import { PasskeyButton } from './PasskeyButton'
import { PasswordForm } from './PasswordForm'
import styles from './session.module.css'
import { SignInError } from './SignInError'
import { tokenIn } from './signInToken'

type Props = { token: string; next: string; refused: string | undefined; help?: ReactNode; onSignedIn: () => void }

/** Sign-in with the one-time token printed by the server, a password, or an OpenID Connect provider. */
export function SignInPage({ token, next, refused, help, onSignedIn }: Props) {
  const signIn = useSignIn()
  const methods = useSignInMethods()
  const byPasskey = useSignInWithPasskey()
  const [typed, setTyped] = useState('')
  const started = useRef(false)
  const send = (value: string) => signIn.mutate(value.trim(), { onSuccess: onSignedIn })
  useEffect(() => {
    if (!token || started.current) return
    started.current = true
    send(token)
    // oxlint-disable-next-line react/exhaustive-deps -- a token is single-use
  }, [token])
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Brand />
        <h1>Sign in</h1>
        {refused && !signIn.isPending && !signIn.error && <SignInError code={refused} provider={methods.data?.oidc ?? 'the provider'} />}
        {signIn.isPending && <p role="status">Signing in…</p>}
        {signIn.error && (
          <Notice what="Sign-in failed.">
            {signIn.error.message} A sign-in URL is single-use and expires after a few minutes.
          </Notice>
        )}
        {!signIn.isPending && (
          <>
            <p className={styles.soft}>Open the sign-in URL that Casebook printed at its start, or print a new one on its machine:</p>
            <Command text="casebook sign-in" name="Print a sign-in URL" />
            <form
              className={styles.form}
              onSubmit={(event) => {
                event.preventDefault()
                send(tokenIn(typed))
              }}
            >
              <label htmlFor="token">Sign-in URL or token</label>
              <div className={styles.row}>
                <input id="token" value={typed} autoComplete="off" spellCheck={false} onChange={(event) => setTyped(event.target.value)} />
                <Button type="submit" look="primary" disabled={typed.trim() === ''}>
                  Sign in
                </Button>
              </div>
            </form>
            <PasswordForm onSignedIn={onSignedIn} />
            <PasskeyButton label="Sign in with a passkey" isPending={byPasskey.isPending} error={byPasskey.error} onClick={() => byPasskey.mutate(undefined, { onSuccess: onSignedIn })} />
            {methods.data?.oidc && (
              <a href={`/api/v1/session/oidc?leads_to=${encodeURIComponent(next)}`} data-testid="oidc">
                Sign in with {methods.data.oidc}
              </a>
            )}
            <GuestBox />
          </>
        )}
        {help}
      </div>
    </main>
  )
}
