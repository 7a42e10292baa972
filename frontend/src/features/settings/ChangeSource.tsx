import { useState } from 'react'
import { type TeamLibrary, usePullLibrary, useUpdateLibrary } from '../../api'
import { Button, Notice } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

/** The form that changes where a Git library is pulled from, and pulls it. */
export function ChangeSource({ library }: { library: TeamLibrary }) {
  const [draft, setDraft] = useState({ url: library.url, ref: library.ref, username: 'git', token: '' })
  const update = useUpdateLibrary()
  const pull = usePullLibrary()
  const set = (change: Partial<typeof draft>) => setDraft({ ...draft, ...change })
  const error = update.error ?? pull.error
  return (
    <>
      <form
        className={styles.form}
        aria-label={`Source of ${library.name}`}
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ name: library.name, ...draft, token: draft.token || null }, { onSuccess: () => pull.mutate(library.name, { onSuccess: () => set({ token: '' }) }) })
        }}
      >
        <Field label="URL" required type="url" maxLength={500} value={draft.url} onValue={(url) => set({ url })} />
        <Field label="Branch or tag" required maxLength={200} value={draft.ref} onValue={(ref) => set({ ref })} />
        <Field label="User name" required maxLength={100} value={draft.username} onValue={(username) => set({ username })} />
        <Field label="Deploy token" type="password" autoComplete="off" maxLength={500} placeholder={library.has_token ? 'the stored one' : 'none'} value={draft.token} onValue={(token) => set({ token })} />
        <Button type="submit" disabled={update.isPending || pull.isPending || library.newest?.state === 'pulling'}>
          Change and pull
        </Button>
      </form>
      {library.has_token && draft.url !== library.url && <p className={styles.soft}>The stored token goes to the old URL only: enter that of the new one.</p>}
      {error && <Notice what="It was not changed.">{error.message}</Notice>}
    </>
  )
}
