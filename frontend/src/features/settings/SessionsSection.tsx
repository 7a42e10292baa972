import { useEndSession, useSessions, useSignOut, useSignOutEverywhere, useWays } from '../../api'
import { Ago, Button, Notice, Tag } from '../../ui'
import styles from './settings.module.css'

export function SessionsSection() {
  const sessions = useSessions()
  const end = useEndSession()
  const signOut = useSignOut()
  const everywhere = useSignOutEverywhere()
  const provider = useWays().data?.oidc
  const failed = sessions.error ?? end.error ?? signOut.error ?? everywhere.error
  return (
    <>
      <h1>Sessions</h1>
      <p className={styles.soft}>Where you are signed in. One that you end is out at once.</p>
      {failed && <Notice what="That did not work." retry={() => void sessions.refetch()}>{failed.message}</Notice>}
      <div className={styles.box}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">End</th>
            </tr>
          </thead>
          <tbody>
            {sessions.data?.map((one) => (
              <tr key={one.id}>
                <td className={styles.wide}>
                  {one.client || 'unknown'} {one.is_this && <Tag tone="calm">this one</Tag>}
                </td>
                <td>
                  <Ago at={one.created_at} />
                </td>
                <td>{one.last_used_at ? <Ago at={one.last_used_at} /> : 'never'}</td>
                <td className={styles.actions}>
                  {one.is_this ? (
                    <>
                      <Button onClick={() => signOut.mutate(undefined, { onSuccess: () => window.location.assign('/sign-in') })}>Sign out</Button>
                      {provider && (
                        <Button onClick={() => everywhere.mutate(undefined, { onSuccess: ({ url }) => window.location.assign(url ?? '/sign-in') })}>
                          Sign out of {provider} too
                        </Button>
                      )}
                    </>
                  ) : (
                    <Button onClick={() => end.mutate(one.id)}>End</Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
