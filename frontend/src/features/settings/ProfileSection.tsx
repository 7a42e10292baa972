import { useState } from 'react'
import { useChangePassword, useConfirmCode, useDisableCode, useMyProfile, useSetUpCode, useTokens } from '../../api'
import { Button, Notice, Tag, useToast } from '../../ui'
import { Field } from './Field'
import { PasskeysForm } from './PasskeysForm'
import { SecretReveal } from './SecretReveal'
import styles from './settings.module.css'

const MIN_PASSWORD_CHARS = 12

export function ProfileSection() {
  const profile = useMyProfile()
  if (profile.error) return <Notice what="The profile could not be loaded." retry={() => void profile.refetch()}>{profile.error.message}</Notice>
  if (!profile.data) return <p role="status">Loading…</p>
  const { name, role, has_password: hasPassword, has_code: hasCode } = profile.data
  return (
    <>
      <h1>Profile</h1>
      <p>
        Signed in as <strong>{name}</strong>, <Tag>{role}</Tag>
      </p>
      <PasswordForm hasPassword={hasPassword} />
      <PasskeysForm />
      <CodeForm hasPassword={hasPassword} hasCode={hasCode} />
    </>
  )
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const change = useChangePassword()
  const toast = useToast()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [revokesTokens, setRevokesTokens] = useState(false)
  const tokens = useTokens().data?.length ?? 0
  return (
    <>
      <h2>Password</h2>
      <p className={styles.soft}>{hasPassword ? 'Sign-in with name and password is enabled. A new password ends your other sessions.' : 'Set one: it signs you in without a printed URL, and confirms changes of members and tokens.'}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(
            { current, password, revoke_tokens: revokesTokens },
            {
              onSuccess: () => {
                setCurrent('')
                setPassword('')
                setRevokesTokens(false)
                toast(`Password set. Other sessions ended${revokesTokens ? ', tokens revoked' : ''}.`)
              },
            },
          )
        }}
      >
        {hasPassword && <Field label="Current password" type="password" autoComplete="current-password" value={current} onValue={setCurrent} />}
        <Field label={`New password (at least ${MIN_PASSWORD_CHARS} characters)`} type="password" autoComplete="new-password" minLength={MIN_PASSWORD_CHARS} required value={password} onValue={setPassword} />
        {tokens > 0 && (
          <label>
            <input type="checkbox" checked={revokesTokens} onChange={(event) => setRevokesTokens(event.target.checked)} /> Revoke your tokens too ({tokens})
          </label>
        )}
        <Button type="submit" look="primary" disabled={change.isPending || password.length < MIN_PASSWORD_CHARS}>
          Set password
        </Button>
      </form>
      {change.error && <Notice what="The password was not set.">{change.error.message}</Notice>}
    </>
  )
}

function CodeForm({ hasPassword, hasCode }: { hasPassword: boolean; hasCode: boolean }) {
  const setUp = useSetUpCode()
  const confirm = useConfirmCode()
  const disable = useDisableCode()
  const [code, setCode] = useState('')
  const failed = setUp.error ?? confirm.error ?? disable.error
  const done = { onSuccess: () => (setCode(''), setUp.reset()) }
  return (
    <>
      <h2>Authenticator</h2>
      <p className={styles.soft}>
        {hasCode
          ? 'Enabled: sign-in with a password requires a code.'
          : hasPassword
            ? 'Two-factor authentication with codes from an authenticator app.'
            : 'Two-factor authentication. Set a password first.'}
      </p>
      {!hasCode && hasPassword && !setUp.data && <Button onClick={() => setUp.mutate()}>Set up authenticator</Button>}
      {setUp.data && !hasCode && <SecretReveal label="Authenticator secret" note="Enter it into your authenticator app." secret={setUp.data.secret} />}
      {(hasCode || setUp.data) && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (hasCode) disable.mutate(code, done)
            else confirm.mutate(code, done)
          }}
        >
          <Field label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={6} required value={code} onValue={setCode} />
          <Button type="submit">{hasCode ? 'Disable' : 'Confirm'}</Button>
        </form>
      )}
      {failed && <Notice what="The authenticator settings were not changed.">{failed.message}</Notice>}
    </>
  )
}
