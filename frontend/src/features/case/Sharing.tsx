import { useId, useState } from 'react'
import { type CaseAccess, useCaseAccess, useCreateLink, useMe, useMembers, useRevokeLink, useSetCasePerson, useShareCase, useTeams, type Visibility } from '../../api'
import { Button, Command, Notice, Segments } from '../../ui'
import styles from './sharing.module.css'

const LINK_DAYS = 30
const CHOICES: readonly { value: Visibility; label: string; says: string }[] = [
  { value: 'team', label: 'Team', says: 'Its team sees this case, or everybody who is signed in when it has none.' },
  { value: 'restricted', label: 'Restricted', says: 'Its owner, the people named below and admins see this case.' },
  { value: 'link', label: 'Link', says: 'As restricted, and to read whoever is signed in and opens a link to it.' },
]

/** Who sees a case, in a word that opens the whole of it. */
export function Sharing({ caseId }: { caseId: string }) {
  const id = useId()
  const access = useCaseAccess(caseId)
  const [isOpen, setIsOpen] = useState(false)
  const choice = CHOICES.find(({ value }) => value === access.data?.visibility)
  if (!access.data || !choice) return null
  return (
    <>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        {choice.value === 'team' ? (access.data.team?.name ?? 'Everybody') : choice.label} <span aria-hidden="true">{isOpen ? '▴' : '▾'}</span>
      </Button>
      <section id={id} className={styles.panel} aria-label="Who sees this case" hidden={!isOpen}>
        {isOpen && <Panel caseId={caseId} access={access.data} says={choice.says} />}
      </section>
    </>
  )
}

function Panel({ caseId, access, says }: { caseId: string; access: CaseAccess; says: string }) {
  const share = useShareCase(caseId)
  const teams = useTeams()
  const me = useMe()
  const teamId = useId()
  const set = (visibility: Visibility, team: string | null) => share.mutate({ visibility, team_id: team })
  const team = access.team?.id ?? null
  // One may give a case to a team of one's own; an admin to any.
  const mine = teams.data?.filter((one) => one.id === team || me.data?.role === 'admin' || (me.data && one.member_ids.includes(me.data.id))) ?? []
  return (
    <>
      {access.may_share ? (
        <div className={styles.row}>
          <Segments label="Visibility" value={access.visibility} options={CHOICES} onChange={(value) => set(value, team)} />
          {access.visibility === 'team' && mine.length > 0 && (
            <>
              <label htmlFor={teamId}>Team</label>
              <select id={teamId} value={team ?? ''} onChange={(event) => set('team', event.target.value || null)}>
                <option value="">everybody</option>
                {mine.map((one) => (
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
        {says} {access.owner ? `It belongs to ${access.owner.name}.` : 'It belongs to nobody.'}
        {!access.may_share && ' Its owner, a curator or an admin can change that.'}
      </p>
      {share.error && <Notice what="Who sees this case was not changed.">{share.error.message}</Notice>}
      <People caseId={caseId} access={access} />
      {access.may_share && access.visibility === 'link' && <Links caseId={caseId} access={access} />}
    </>
  )
}

function People({ caseId, access }: { caseId: string; access: CaseAccess }) {
  const members = useMembers()
  const name = useSetCasePerson(caseId)
  const selectId = useId()
  const named = new Set([access.owner?.id, ...access.people.map((person) => person.id)])
  const others = members.data?.filter((member) => !named.has(member.id) && !member.is_service && !member.disabled_at) ?? []
  return (
    <>
      {name.error && <Notice what="The people of this case were not changed.">{name.error.message}</Notice>}
      {access.people.length > 0 && (
        <ul className={styles.list} aria-label="Named on this case">
          {access.people.map((person) => (
            <li key={person.id}>
              {person.name}
              {access.may_share && (
                <Button look="quiet" aria-label={`Take ${person.name} off this case`} onClick={() => name.mutate({ id: person.id, isNamed: false })}>
                  Take off
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {access.may_share && others.length > 0 && (
        <div className={styles.row}>
          <label htmlFor={selectId}>Name somebody</label>
          <select id={selectId} value="" onChange={(event) => name.mutate({ id: event.target.value, isNamed: true })}>
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
  const make = useCreateLink(caseId)
  const end = useRevokeLink(caseId)
  const failed = make.error ?? end.error
  return (
    <>
      {failed && <Notice what="The links of this case were not changed.">{failed.message}</Notice>}
      {access.links.length > 0 && (
        <ul className={styles.list} aria-label="Links to this case">
          {access.links.map((link) => (
            <li key={link.id}>
              made {link.created_at.slice(0, 10)}, {link.expires_at ? `ends ${link.expires_at.slice(0, 10)}` : 'without an end'}
              <Button look="quiet" aria-label={`End the link made ${link.created_at.slice(0, 10)}`} onClick={() => end.mutate(link.id)}>
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div className={styles.row}>
        <Button look="primary" disabled={make.isPending} onClick={() => make.mutate(LINK_DAYS)}>
          Make a link for {LINK_DAYS} days
        </Button>
      </div>
      {make.data && access.links.some(({ id }) => id === make.data.id) && (
        <div role="status">
          <strong>It is shown this once. Whoever opens it must be signed in.</strong>
          <Command text={make.data.url} name="Link to this case" />
        </div>
      )}
    </>
  )
}
