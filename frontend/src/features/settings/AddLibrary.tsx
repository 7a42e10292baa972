import { useId, useState } from 'react'
import { useAddLibrary, useUploadLibrary } from '../../api'
import { Button, Notice, Segments } from '../../ui'
import { Field } from './Field'
import { nameFrom } from './libraries'
import styles from './settings.module.css'

const SOURCES = [
  { value: 'git', label: 'Git repository' },
  { value: 'upload', label: 'Archive' },
] as const
const NOTHING = { name: '', url: '', ref: 'HEAD', username: 'git', token: '' }

/** The form of a new library, or of the next archive of an uploaded one. */
export function AddLibrary() {
  const [source, setSource] = useState<'git' | 'upload'>('git')
  const [draft, setDraft] = useState(NOTHING)
  const [file, setFile] = useState<File>()
  const fileId = useId()
  const add = useAddLibrary()
  const upload = useUploadLibrary()
  const set = (change: Partial<typeof NOTHING>) => setDraft({ ...draft, ...change })
  const name = draft.name || nameFrom(source === 'git' ? draft.url : (file?.name ?? ''))
  const error = source === 'git' ? add.error : upload.error
  const onSuccess = () => {
    setDraft(NOTHING)
    setFile(undefined)
  }
  return (
    <>
      <div>
        <Segments label="Source" value={source} options={SOURCES} onChange={setSource} />
      </div>
      <form
        className={styles.form}
        aria-label="New library"
        onSubmit={(event) => {
          event.preventDefault()
          if (source === 'git') add.mutate({ ...draft, name }, { onSuccess })
          else if (file) upload.mutate({ name, file }, { onSuccess })
        }}
      >
        {source === 'git' ? (
          <>
            <Field label="URL" required type="url" maxLength={500} placeholder="https://git.example.com/team/signatures.git" value={draft.url} onValue={(url) => set({ url })} />
            <Field label="Branch or tag" required maxLength={200} value={draft.ref} onValue={(ref) => set({ ref })} />
            <Field label="User name" required maxLength={100} value={draft.username} onValue={(username) => set({ username })} />
            <Field label="Deploy token" type="password" autoComplete="off" maxLength={500} placeholder="none" value={draft.token} onValue={(token) => set({ token })} />
          </>
        ) : (
          <div className={styles.field}>
            <label htmlFor={fileId}>Tar or zip, at most 16 MiB</label>
            <input id={fileId} type="file" required accept=".tar,.tgz,.gz,.xz,.zst,.zip" onChange={({ target }) => setFile(target.files?.[0])} />
          </div>
        )}
        <Field label="Name" maxLength={60} pattern="[a-z0-9]+(-[a-z0-9]+)*" placeholder={name || 'payments'} value={draft.name} onValue={(value) => set({ name: value })} />
        <Button type="submit" look="primary" disabled={add.isPending || upload.isPending || name === ''}>
          {source === 'git' ? 'Add' : 'Upload'}
        </Button>
      </form>
      {error && <Notice what="It was not added.">{error.message}</Notice>}
    </>
  )
}
