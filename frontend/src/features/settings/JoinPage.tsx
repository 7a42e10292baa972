import { useState } from 'react'
import { useJoin } from '../../api'
import { Brand, Button, Notice } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

type Props = { secret: string; onJoined: () => void }

/** Create an account from an invitation link. The secret is the URL fragment and is only sent in a POST body. */
export function JoinPage({ secret, onJoined }: Props) {
  const join = useJoin()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  return (
    <main className={styles.page} data-testid="join">
      <section className={styles.section}>
        <Brand />
        <h1>Join</h1>
        {secret === '' && <Notice what="Incomplete link.">The part after # is missing. Copy the whole link.</Notice>}
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            join.mutate({ secret, name, password }, { onSuccess: onJoined })
          }}
        >
          <Field label="Name" autoComplete="username" required maxLength={80} value={name} onValue={setName} />
          <Field label="Password (at least 12 characters)" type="password" autoComplete="new-password" required minLength={12} value={password} onValue={setPassword} />
          <Button type="submit" look="primary" disabled={join.isPending || secret === ''}>
            Join
          </Button>
        </form>
        {join.error && <Notice what="The account was not created.">{join.error.message}</Notice>}
      </section>
    </main>
  )
}
