import { useState } from 'react'
import { useCreateTeam, useDeleteTeam, useMembers, useTeamMember, useTeams } from '../../api'
import { Button, Notice } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

export function TeamsSection({ isAdmin }: { isAdmin: boolean }) {
  const teams = useTeams()
  const members = useMembers()
  const create = useCreateTeam()
  const remove = useDeleteTeam()
  const setMember = useTeamMember()
  const [name, setName] = useState('')
  const failed = teams.error ?? members.error ?? create.error ?? remove.error ?? setMember.error
  const people = members.data?.filter((member) => !member.is_service) ?? []
  return (
    <>
      <h1>Teams</h1>
      <p className={styles.soft}>A case is visible to its team. Cases of people without a team are visible to everybody who is signed in.</p>
      {failed && <Notice what="The teams could not be loaded or changed." retry={() => void teams.refetch()}>{failed.message}</Notice>}
      {isAdmin && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault()
            create.mutate(name, { onSuccess: () => setName('') })
          }}
        >
          <Field label="New team" required maxLength={80} placeholder="storage" value={name} onValue={setName} />
          <Button type="submit" look="primary" disabled={create.isPending || name.trim() === ''}>
            Create team
          </Button>
        </form>
      )}
      {teams.data?.length === 0 && <p className={styles.soft}>No teams. Cases without restricted access are visible to everybody who is signed in.</p>}
      {teams.data?.map((team) => (
        <fieldset key={team.id} className={styles.choices} disabled={!isAdmin}>
          <legend>
            <strong>{team.name}</strong>
          </legend>
          {people.map((member) => (
            <label key={member.id}>
              <input
                type="checkbox"
                checked={team.member_ids.includes(member.id)}
                onChange={(event) => setMember.mutate({ team: team.id, member: member.id, isIn: event.target.checked })}
              />{' '}
              {member.name}
            </label>
          ))}
          {isAdmin && (
            <Button look="quiet" aria-label={`Remove ${team.name}`} onClick={() => remove.mutate(team.id)}>
              Remove
            </Button>
          )}
        </fieldset>
      ))}
    </>
  )
}
