import { useState } from 'react'
import { answerConfirmation, useConfirmSignIn, useConfirmWithPasskey, useIsConfirmationNeeded, useMyProfile, useSignInAgain, useSignInMethods } from '../../api'
import { Button, Command, Dialog, DialogActions, Notice } from '../../ui'
import { PasskeyButton } from './PasskeyButton'
import styles from './session.module.css'
import { tokenIn } from './signInToken'

/** Asks for the password before a change of credentials, when the sign-in was too long ago. */
export function ConfirmDialog() {
  return useIsConfirmationNeeded() ? <Confirmation /> : null
}

function Confirmation() {
  const profile = useMyProfile()
  return (
    <Dialog title="Confirm your sign-in" testId="confirm-sign-in" onClose={() => answerConfirmation(false)}>
      <p className={styles.soft}>You signed in more than 15 minutes ago. Changes to passwords, authenticators, tokens and members need a recent sign-in.</p>
      {profile.error && <Notice what="The profile could not be loaded.">{profile.error.message}</Notice>}
      {profile.data?.has_passkey && <PasskeyConfirmation />}
      {profile.data && (profile.data.has_password ? <PasswordConfirmation hasCode={profile.data.has_code} /> : <SignInAgain name={profile.data.name} />)}
    </Dialog>
  )
}

function PasskeyConfirmation() {
  const confirm = useConfirmWithPasskey()
  return <PasskeyButton label="Confirm with a passkey" isPrimary isPending={confirm.isPending} error={confirm.error} onClick={() => confirm.mutate(undefined, { onSuccess: () => answerConfirmation(true) })} />
}

function PasswordConfirmation({ hasCode }: { hasCode: boolean }) {
  const confirm = useConfirmSignIn()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        confirm.mutate({ password, code }, { onSuccess: () => answerConfirmation(true) })
      }}
    >
      <label htmlFor="confirm-password">Password</label>
      <div className={styles.row}>
        <input id="confirm-password" type="password" value={password} autoComplete="current-password" required autoFocus onChange={(event) => setPassword(event.target.value)} />
      </div>
      {hasCode && (
        <>
          <label htmlFor="confirm-code">Authenticator code</label>
          <div className={styles.row}>
            <input id="confirm-code" value={code} inputMode="numeric" autoComplete="one-time-code" required onChange={(event) => setCode(event.target.value)} />
          </div>
        </>
      )}
      {confirm.error && <Notice what="The sign-in was not confirmed.">{confirm.error.message}</Notice>}
      <DialogActions>
        <Button onClick={() => answerConfirmation(false)}>Cancel</Button>
        <Button type="submit" look="primary" disabled={confirm.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  )
}

function SignInAgain({ name }: { name: string }) {
  const provider = useSignInMethods().data?.oidc
  const signIn = useSignInAgain()
  const [typed, setTyped] = useState('')
  const here = window.location.pathname + window.location.search
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate({ token: tokenIn(typed), name }, { onSuccess: () => answerConfirmation(true) })
      }}
    >
      <p>
        Your account has no password; <a href="/settings/profile">set one</a> after this.{' '}
        {provider && <a href={`/api/v1/session/oidc?confirm=true&leads_to=${encodeURIComponent(here)}`}>Sign in with {provider} again</a>}
        {provider ? ', or print' : 'Print'} a new sign-in URL on the machine of Casebook and paste it here:
      </p>
      <Command text="casebook sign-in" name="Print a sign-in URL" />
      <label htmlFor="confirm-token">Sign-in URL or token</label>
      <div className={styles.row}>
        <input id="confirm-token" value={typed} autoComplete="off" spellCheck={false} required autoFocus onChange={(event) => setTyped(event.target.value)} />
      </div>
      {signIn.error && <Notice what="The sign-in was not confirmed.">{signIn.error.message}</Notice>}
      <DialogActions>
        <Button onClick={() => answerConfirmation(false)}>Cancel</Button>
        <Button type="submit" look="primary" disabled={typed.trim() === '' || signIn.isPending}>
          Confirm
        </Button>
      </DialogActions>
    </form>
  )
}
