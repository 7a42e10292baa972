import { useState } from 'react'
import { passkeyObstacle, useAddPasskey, usePasskeys, useRemovePasskey } from '../../api'
import { Button, Notice, RelativeTime, useToast } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

/** The passkeys of the account: add one on this device or a security key, remove lost ones. */
export function PasskeysForm() {
  const passkeys = usePasskeys()
  const add = useAddPasskey()
  const remove = useRemovePasskey()
  const toast = useToast()
  const [name, setName] = useState('')
  const obstacle = passkeyObstacle()
  return (
    <>
      <h2>Passkeys</h2>
      <p className={styles.soft}>A fingerprint, PIN or security key signs you in without a password and code, and confirms changes of members and tokens.</p>
      {passkeys.data && passkeys.data.length > 0 && (
        <div className={styles.box}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Passkey</th>
                <th scope="col">Added</th>
                <th scope="col">Last used</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {passkeys.data.map((one) => (
                <tr key={one.id} data-testid="passkey">
                  <td className={styles.wide}>{one.name}</td>
                  <td>
                    <RelativeTime at={one.created_at} />
                  </td>
                  <td>{one.last_used_at ? <RelativeTime at={one.last_used_at} /> : 'never'}</td>
                  <td className={styles.actions}>
                    <Button aria-label={`Remove ${one.name}`} disabled={remove.isPending} onClick={() => remove.mutate(one.id, { onSuccess: () => toast('Passkey removed. Other sessions ended.') })}>
                      Remove
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {obstacle ? (
        <p className={styles.soft}>{obstacle}</p>
      ) : (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            add.mutate(name.trim(), { onSuccess: () => (setName(''), toast('Passkey added.')) })
          }}
        >
          <Field label="Name of the passkey, such as laptop" maxLength={60} required value={name} onValue={setName} />
          <Button type="submit" look="primary" disabled={add.isPending || name.trim() === ''}>
            Add passkey
          </Button>
        </form>
      )}
      {(passkeys.error ?? add.error ?? remove.error) && <Notice what="The passkeys were not loaded or changed.">{(passkeys.error ?? add.error ?? remove.error)?.message}</Notice>}
    </>
  )
}
