import { useState } from 'react'
import { useDeleteSearch, useSavedSearches, useSaveSearch, useTeams } from '../../api'
import { Button, Dialog, DialogActions, Notice } from '../../ui'
import styles from './query.module.css'

type Props = { query: string; onQuery: (query: string) => void }

/** Searches under a name: those of the caller and of their teams; the current query can be saved. */
export function SavedSearches({ query, onQuery }: Props) {
  const saved = useSavedSearches()
  const remove = useDeleteSearch()
  const [isSaving, setIsSaving] = useState(false)
  const items = saved.data?.items ?? []
  const isSaved = items.some((one) => one.query === query.trim())
  return (
    <div className={styles.saved}>
      {items.map(({ id, name, query: text, team }) => (
        <span key={id} className={styles.chip} data-active={text === query.trim() || undefined}>
          <button type="button" title={text} onClick={() => onQuery(text)}>
            {name}
            {team && <span className={styles.says}> {team}</span>}
          </button>
          <button type="button" aria-label={`Delete the search ${name}`} onClick={() => remove.mutate(id)}>
            ×
          </button>
        </span>
      ))}
      {query.trim() !== '' && !isSaved && <Button onClick={() => setIsSaving(true)}>Save search</Button>}
      {remove.error && <Notice what="The search could not be deleted.">{remove.error.message}</Notice>}
      {isSaving && <SaveDialog query={query.trim()} onClose={() => setIsSaving(false)} />}
    </div>
  )
}

function SaveDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const teams = useTeams()
  const save = useSaveSearch()
  const [name, setName] = useState('')
  const [teamId, setTeamId] = useState('')
  return (
    <Dialog title="Save search" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate({ name: name.trim(), query, team_id: teamId || null }, { onSuccess: onClose })
        }}
      >
        <code>{query}</code>
        <label>
          Name
          <input value={name} maxLength={100} required onChange={(event) => setName(event.target.value)} />
        </label>
        <label>
          Shared with
          <select value={teamId} onChange={(event) => setTeamId(event.target.value)}>
            <option value="">Nobody</option>
            {(teams.data ?? []).map((team) => (
              <option key={team.id} value={team.id}>
                {team.name}
              </option>
            ))}
          </select>
        </label>
        {save.error && <Notice what="The search could not be saved.">{save.error.message}</Notice>}
        <DialogActions>
          <Button type="submit" disabled={name.trim() === '' || save.isPending}>
            Save
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
