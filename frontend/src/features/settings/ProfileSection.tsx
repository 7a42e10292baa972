import { useState } from 'react'
import { useBeginCode, useChangePassword, useConfirmCode, useEndCode, useMyProfile } from '../../api'
import { Button, Notice, Tag, useToast } from '../../ui'
import { Field } from './Field'
import { Once } from './Once'
import styles from './settings.module.css'

const MIN_PASSWORD_CHARS = 12

export function ProfileSection() {
  const profile = useMyProfile()
  if (profile.error) return <Notice what="Your profile could not be read." retry={() => void profile.refetch()}>{profile.error.message}</Notice>
  if (!profile.data) return <p role="status">Loading…</p>
  const { name, role, has_password: hasPassword, has_code: hasCode } = profile.data
  return (
    <>
      <h1>Profile</h1>
      <p>
        You are <strong>{name}</strong>, <Tag>{role}</Tag>
      </p>
      <PasswordForm hasPassword={hasPassword} />
      <CodeForm hasPassword={hasPassword} hasCode={hasCode} />
    </>
  )
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const change = useChangePassword()
  const say = useToast()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  return (
    <>
      <h2>Password</h2>
      <p className={styles.soft}>{hasPassword ? 'You can sign in by name and password.' : 'Optional: with one you can sign in by name, without the printed URL.'}</p>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(
            { current, password },
            {
              onSuccess: () => {
                setCurrent('')
                setPassword('')
                say('The password is set.')
              },
            },
          )
        }}
      >
        {hasPassword && <Field label="Current password" type="password" autoComplete="current-password" value={current} onValue={setCurrent} />}
        <Field label={`New password, ${MIN_PASSWORD_CHARS} characters or more`} type="password" autoComplete="new-password" minLength={MIN_PASSWORD_CHARS} required value={password} onValue={setPassword} />
        <Button type="submit" look="primary" disabled={change.isPending || password.length < MIN_PASSWORD_CHARS}>
          Set password
        </Button>
      </form>
      {change.error && <Notice what="The password was not set.">{change.error.message}</Notice>}
    </>
  )
}

function CodeForm({ hasPassword, hasCode }: { hasPassword: boolean; hasCode: boolean }) {
  const begin = useBeginCode()
  const confirm = useConfirmCode()
  const end = useEndCode()
  const [code, setCode] = useState('')
  const failed = begin.error ?? confirm.error ?? end.error
  const done = { onSuccess: () => (setCode(''), begin.reset()) }
  return (
    <>
      <h2>Authenticator</h2>
      <p className={styles.soft}>
        {hasCode
          ? 'Its code is asked for when you sign in by password.'
          : hasPassword
            ? 'A second proof besides the password: a code of an app on your phone.'
            : 'Set a password first; a code is asked for beside it.'}
      </p>
      {!hasCode && hasPassword && !begin.data && <Button onClick={() => begin.mutate()}>Set up an authenticator</Button>}
      {begin.data && !hasCode && <Once what="Enter this secret into your authenticator." text={begin.data.secret} />}
      {(hasCode || begin.data) && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            if (hasCode) end.mutate(code, done)
            else confirm.mutate(code, done)
          }}
        >
          <Field label="Code" inputMode="numeric" autoComplete="one-time-code" maxLength={6} required value={code} onValue={setCode} />
          <Button type="submit">{hasCode ? 'Turn off' : 'Confirm'}</Button>
        </form>
      )}
      {failed && <Notice what="That did not work.">{failed.message}</Notice>}
    </>
  )
}
