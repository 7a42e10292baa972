import { useState } from 'react'
import { Problem, useSignInWithPassword } from '../../api'
import { Button, focusOnMount, Notice } from '../../ui'
import styles from './session.module.css'

/** Sign-in with name and password; asks for an authenticator code if the account requires one. */
export function PasswordForm({ onSignedIn }: { onSignedIn: () => void }) {
  const signIn = useSignInWithPassword()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const needsCode = signIn.error instanceof Problem && signIn.error.code === 'CodeNeeded'
  const [isCodeShown, setIsCodeShown] = useState(false)
  if (needsCode && !isCodeShown) setIsCodeShown(true)
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate({ name, password, code }, { onSuccess: onSignedIn })
      }}
    >
      <label htmlFor="name">Name</label>
      <div className={styles.row}>
        <input id="name" value={name} autoComplete="username" required onChange={(event) => setName(event.target.value)} />
      </div>
      <label htmlFor="password">Password</label>
      <div className={styles.row}>
        <input id="password" type="password" value={password} autoComplete="current-password" required onChange={(event) => setPassword(event.target.value)} />
        {!isCodeShown && (
          <Button type="submit" disabled={signIn.isPending}>
            Sign in with password
          </Button>
        )}
      </div>
      {isCodeShown && (
        <>
          <label htmlFor="code">Authenticator code</label>
          <div className={styles.row}>
            <input id="code" value={code} inputMode="numeric" autoComplete="one-time-code" ref={focusOnMount} onChange={(event) => setCode(event.target.value)} />
            <Button type="submit" disabled={signIn.isPending}>
              Sign in with password
            </Button>
          </div>
        </>
      )}
      {signIn.error && !needsCode && <Notice what="Sign-in failed.">{signIn.error.message}</Notice>}
    </form>
  )
}
