import { useEndSession, useSessions, useSignInMethods, useSignOut, useSignOutAtProvider } from '../../api'
import { Button, Notice, RelativeTime, Tag } from '../../ui'
import styles from './settings.module.css'

export function SessionsSection() {
  const sessions = useSessions()
  const end = useEndSession()
  const signOut = useSignOut()
  const signOutAtProvider = useSignOutAtProvider()
  const provider = useSignInMethods().data?.oidc
  const failed = sessions.error ?? end.error ?? signOut.error ?? signOutAtProvider.error
  return (
    <>
      <h1>Sessions</h1>
      <p className={styles.soft}>Browsers that are signed in to your account. Ending a session signs it out immediately.</p>
      {failed && <Notice what="The sessions could not be loaded or changed." retry={() => void sessions.refetch()}>{failed.message}</Notice>}
      <div className={styles.box}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Signed in</th>
              <th scope="col">Last used</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {sessions.data?.map((one) => (
              <tr key={one.id}>
                <td className={styles.wide}>
                  {one.client || 'Unknown'} {one.is_this && <Tag tone="calm">Current</Tag>}
                </td>
                <td>
                  <RelativeTime at={one.created_at} />
                </td>
                <td>{one.last_used_at ? <RelativeTime at={one.last_used_at} /> : 'never'}</td>
                <td className={styles.actions}>
                  {one.is_this ? (
                    <>
                      <Button onClick={() => signOut.mutate(undefined, { onSuccess: () => window.location.assign('/sign-in') })}>Sign out</Button>
                      {provider && (
                        <Button onClick={() => signOutAtProvider.mutate(undefined, { onSuccess: ({ url }) => window.location.assign(url ?? '/sign-in') })}>
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
