import { useId } from 'react'
import { type CaseAccess, useCreateLink, useMe, useMembers, useRevokeLink, useSetCasePerson, useShareCase, useTeams, type Visibility } from '../../api'
import { Button, Command, Dialog, Notice, Segments } from '../../ui'
import styles from './access.module.css'

const LINK_DAYS = 30
const CHOICES: readonly { value: Visibility; label: string; description: string }[] = [
  { value: 'team', label: 'Team', description: 'Visible to the team; without a team, to all members.' },
  { value: 'restricted', label: 'Restricted', description: 'Visible to the owner, the members below and admins.' },
  { value: 'link', label: 'Link', description: 'As restricted, and readable by any signed-in member with the link.' },
]

/** The visibility of a case in one or two words. */
export function accessLabel(access: CaseAccess): string {
  if (access.visibility === 'team') return access.team?.name ?? 'all members'
  return access.visibility
}

/** Dialog with the visibility of a case, its team, members and links. */
export function AccessDialog({ caseId, access, onClose }: { caseId: string; access: CaseAccess; onClose: () => void }) {
  const description = CHOICES.find(({ value }) => value === access.visibility)?.description ?? ''
  return (
    <Dialog title="Access to this case" onClose={onClose}>
      <div className={styles.panel}>
        <Panel caseId={caseId} access={access} description={description} />
      </div>
    </Dialog>
  )
}

function Panel({ caseId, access, description }: { caseId: string; access: CaseAccess; description: string }) {
  const share = useShareCase(caseId)
  const teams = useTeams()
  const me = useMe()
  const teamId = useId()
  const set = (visibility: Visibility, team: string | null) => share.mutate({ visibility, team_id: team })
  const team = access.team?.id ?? null
  // Members may assign a case to their own teams, admins to any team.
  const assignable = teams.data?.filter((one) => one.id === team || me.data?.role === 'admin' || (me.data && one.member_ids.includes(me.data.id))) ?? []
  return (
    <>
      {access.may_share ? (
        <div className={styles.row}>
          <Segments label="Visibility" value={access.visibility} options={CHOICES} onChange={(value) => set(value, team)} />
          {access.visibility === 'team' && assignable.length > 0 && (
            <>
              <label htmlFor={teamId}>Team</label>
              <select id={teamId} value={team ?? ''} onChange={(event) => set('team', event.target.value || null)}>
                <option value="">all members</option>
                {assignable.map((one) => (
                  <option key={one.id} value={one.id}>
                    {one.name}
                  </option>
                ))}
              </select>
            </>
          )}
        </div>
      ) : null}
      <p className={styles.soft}>
        {description} {access.owner ? `Owner: ${access.owner.name}.` : 'No owner.'}
        {!access.may_share && ' Only the owner, a curator or an admin can change it.'}
      </p>
      {share.error && <Notice what="The access could not be changed.">{share.error.message}</Notice>}
      <Members caseId={caseId} access={access} />
      {access.may_share && access.visibility === 'link' && <Links caseId={caseId} access={access} />}
    </>
  )
}

function Members({ caseId, access }: { caseId: string; access: CaseAccess }) {
  const members = useMembers()
  const setMember = useSetCasePerson(caseId)
  const selectId = useId()
  const current = new Set([access.owner?.id, ...access.people.map((person) => person.id)])
  const others = members.data?.filter((member) => !current.has(member.id) && !member.is_service && !member.disabled_at) ?? []
  return (
    <>
      {setMember.error && <Notice what="The members could not be changed.">{setMember.error.message}</Notice>}
      {access.people.length > 0 && (
        <ul className={styles.list} aria-label="Members of this case">
          {access.people.map((person) => (
            <li key={person.id}>
              {person.name}
              {access.may_share && (
                <Button look="quiet" aria-label={`Remove ${person.name} from this case`} onClick={() => setMember.mutate({ id: person.id, isNamed: false })}>
                  Remove
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {access.may_share && others.length > 0 && (
        <div className={styles.row}>
          <label htmlFor={selectId}>Add member</label>
          <select id={selectId} value="" onChange={(event) => setMember.mutate({ id: event.target.value, isNamed: true })}>
            <option value="" disabled>
              choose a member
            </option>
            {others.map((member) => (
              <option key={member.id} value={member.id}>
                {member.name}
              </option>
            ))}
          </select>
        </div>
      )}
    </>
  )
}

function Links({ caseId, access }: { caseId: string; access: CaseAccess }) {
  const create = useCreateLink(caseId)
  const revoke = useRevokeLink(caseId)
  const error = create.error ?? revoke.error
  return (
    <>
      {error && <Notice what="The links could not be changed.">{error.message}</Notice>}
      {access.links.length > 0 && (
        <ul className={styles.list} aria-label="Links to this case">
          {access.links.map((link) => (
            <li key={link.id}>
              created {link.created_at.slice(0, 10)}, {link.expires_at ? `expires ${link.expires_at.slice(0, 10)}` : 'no expiry'}
              <Button look="quiet" aria-label={`Revoke the link created ${link.created_at.slice(0, 10)}`} onClick={() => revoke.mutate(link.id)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <Button look="primary" disabled={create.isPending} onClick={() => create.mutate(LINK_DAYS)}>
          Create link ({LINK_DAYS} days)
        </Button>
      </div>
      {create.data && access.links.some(({ id }) => id === create.data.id) && (
        <div role="status">
          <strong>Shown once. Opening it requires signing in.</strong>
          <Command text={create.data.url} name="Link to this case" />
        </div>
      )}
    </>
  )
}
