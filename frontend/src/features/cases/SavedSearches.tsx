import { useState } from 'react'
import { type SavedSearch, useDeleteSearch, useSavedSearches, useSaveSearch, useTeams } from '../../api'
import { Button, Dialog, DialogActions, Notice } from '../../ui'
import { type ColumnName, HEADINGS, readColumns, writeColumns } from './columns'
import styles from './query.module.css'

type Props = { query: string; columns: readonly ColumnName[]; onSearch: (query: string, columns: readonly ColumnName[] | null) => void }

/** Searches under a name, with their columns: those of the caller and of their teams; the current query can be saved. */
export function SavedSearches({ query, columns, onSearch }: Props) {
  const saved = useSavedSearches()
  const remove = useDeleteSearch()
  const [isSaving, setIsSaving] = useState(false)
  const items = saved.data?.items ?? []
  const isShown = (one: SavedSearch) => one.query === query.trim() && (one.columns.length === 0 || writeColumns(one.columns) === writeColumns(columns))
  return (
    <div className={styles.saved}>
      {items.map((one) => (
        <span key={one.id} className={styles.chip} data-active={isShown(one) || undefined}>
          <button type="button" title={one.query} onClick={() => onSearch(one.query, one.columns.length > 0 ? readColumns(one.columns.join(',')) : null)}>
            {one.name}
            {one.team && <span className={styles.says}> {one.team}</span>}
          </button>
          <button type="button" aria-label={`Delete the search ${one.name}`} onClick={() => remove.mutate(one.id)}>
            ×
          </button>
        </span>
      ))}
      {query.trim() !== '' && !items.some(isShown) && <Button onClick={() => setIsSaving(true)}>Save search</Button>}
      {remove.error && <Notice what="The search could not be deleted.">{remove.error.message}</Notice>}
      {isSaving && <SaveDialog query={query.trim()} columns={columns} onClose={() => setIsSaving(false)} />}
    </div>
  )
}

function SaveDialog({ query, columns, onClose }: { query: string; columns: readonly ColumnName[]; onClose: () => void }) {
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
          save.mutate({ name: name.trim(), query, team_id: teamId || null, columns: writeColumns(columns) === undefined ? [] : [...columns] }, { onSuccess: onClose })
        }}
      >
        <code>{query}</code>
        {writeColumns(columns) !== undefined && <p className={styles.says}>Columns: {columns.map((column) => HEADINGS[column]).join(', ')}</p>}
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
