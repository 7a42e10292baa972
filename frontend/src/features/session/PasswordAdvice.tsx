import { type ReactNode, useState } from 'react'
import { useMyProfile, useSignInMethods } from '../../api'
import { Button } from '../../ui'
import styles from './session.module.css'

const PUT_OFF = 'casebook-password-advice'

/** Advises an account whose only sign-in is a printed URL to set a password or add a passkey; above the page, so that nothing moves. */
export function PasswordAdvice({ link }: { link: ReactNode }) {
  const profile = useMyProfile()
  const methods = useSignInMethods()
  const [isPutOff, setIsPutOff] = useState(() => localStorage.getItem(PUT_OFF) !== null)
  if (isPutOff || !profile.data || profile.data.has_password || profile.data.has_passkey || !methods.data || methods.data.oidc) return null
  return (
    <aside className={styles.advice} aria-label="Password" data-testid="password-advice">
      <span>The sign-in URL worked once, and {profile.data.name} has neither password nor passkey.</span> {link}
      <Button
        look="quiet"
        onClick={() => {
          localStorage.setItem(PUT_OFF, '1')
          setIsPutOff(true)
        }}
      >
        Not now
      </Button>
    </aside>
  )
}
