import { useState } from 'react'
import { useJoin } from '../../api'
import { Brand, Button, Notice } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

type Props = { secret: string; onJoined: () => void }

/** Make an account by an invitation; its secret stands behind `#` and is sent as a POST alone. */
export function JoinPage({ secret, onJoined }: Props) {
  const join = useJoin()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  return (
    <main className={styles.page} data-testid="join">
      <section className={styles.section}>
        <Brand />
        <h1>Join</h1>
        {secret === '' && <Notice what="This address is not whole.">What stands behind # is missing; copy all of it.</Notice>}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            join.mutate({ secret, name, password }, { onSuccess: onJoined })
          }}
        >
          <Field label="Name" autoComplete="username" required maxLength={80} value={name} onValue={setName} />
          <Field label="Password, 12 characters or more" type="password" autoComplete="new-password" required minLength={12} value={password} onValue={setPassword} />
          <Button type="submit" look="primary" disabled={join.isPending || secret === ''}>
            Join
          </Button>
        </form>
        {join.error && <Notice what="The account was not made.">{join.error.message}</Notice>}
      </section>
    </main>
  )
}
