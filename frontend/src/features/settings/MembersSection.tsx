import { useState } from 'react'
import { type Member, type Role, useInvitations, useInvite, useMembers, useRevokeInvitation, useUpdateMember } from '../../api'
import { Button, Notice, Tag, useToast } from '../../ui'
import { Field } from './Field'
import { expiry } from './pages'
import { RoleSelect } from './RoleSelect'
import { SecretReveal } from './SecretReveal'
import styles from './settings.module.css'

export function MembersSection({ isAdmin }: { isAdmin: boolean }) {
  const members = useMembers()
  return (
    <>
      <h1>Members</h1>
      <p className={styles.soft}>Viewers read cases. Responders work on cases. Curators also set the access to cases. Admins manage members, teams and the audit log.</p>
      {members.error && <Notice what="The members could not be loaded." retry={() => void members.refetch()}>{members.error.message}</Notice>}
      {isAdmin && <Invitations />}
      <div className={styles.box} tabIndex={0} role="region" aria-label="Members">
        <table className={styles.table} data-testid="members">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">Status</th>
              {isAdmin && (
                <th scope="col">Actions</th>
              )}
            </tr>
          </thead>
          <tbody>{members.data?.map((member) => <MemberRow key={member.id} member={member} isAdmin={isAdmin} />)}</tbody>
        </table>
      </div>
    </>
  )
}

function MemberRow({ member, isAdmin }: { member: Member; isAdmin: boolean }) {
  const update = useUpdateMember()
  const toast = useToast()
  const isDisabled = member.disabled_at !== null
  const fails = { onError: (error: Error) => toast(error.message, { isError: true }) }
  const setDisabled = (isNowDisabled: boolean) =>
    update.mutate(
      { id: member.id, is_disabled: isNowDisabled },
      { ...fails, onSuccess: () => toast(isNowDisabled ? `${member.name} is disabled; their links ended.` : `${member.name} is enabled.`, isNowDisabled ? { undo: () => setDisabled(false) } : {}) },
    )
  return (
    <tr>
      <td className={styles.wide}>
        {member.name} {member.is_owner && <Tag>owner</Tag>} {member.is_service && <Tag>service</Tag>}
      </td>
      <td>
        {isAdmin && !member.is_owner ? (
          <RoleSelect label={`Role of ${member.name}`} role={member.role} onRole={(role) => update.mutate({ id: member.id, role }, fails)} />
        ) : (
          member.role
        )}
      </td>
      <td>{isDisabled ? <Tag tone="suspect">Disabled</Tag> : <Tag tone="calm">Active</Tag>}</td>
      {isAdmin && (
        <td>
          {!member.is_owner && (
            <Button aria-label={`${isDisabled ? 'Enable' : 'Disable'} ${member.name}`} onClick={() => setDisabled(!isDisabled)}>
              {isDisabled ? 'Enable' : 'Disable'}
            </Button>
          )}
        </td>
      )}
    </tr>
  )
}

function Invitations() {
  const invitations = useInvitations(true)
  const invite = useInvite()
  const revoke = useRevokeInvitation()
  const [note, setNote] = useState('')
  const [role, setRole] = useState<Role>('responder')
  const failed = invite.error ?? revoke.error
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate({ role, note }, { onSuccess: () => setNote('') })
        }}
      >
        <Field label="Note" placeholder="Ada, storage team" maxLength={200} value={note} onValue={setNote} />
        <div className={styles.field}>
          <label htmlFor="invite-role">Role</label>
          <RoleSelect id="invite-role" label="Role of the new member" role={role} onRole={setRole} />
        </div>
        <Button type="submit" look="primary" disabled={invite.isPending}>
          Create invitation
        </Button>
      </form>
      {failed && <Notice what="The invitations were not changed.">{failed.message}</Notice>}
      {invite.data && <SecretReveal label="Invitation link" note="Single-use: creates one account." secret={invite.data.url} />}
      {invitations.data && invitations.data.length > 0 && (
        <div className={styles.box}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Invitation</th>
                <th scope="col">Role</th>
                <th scope="col">Expires</th>
                <th scope="col">Actions</th>
              </tr>
            </thead>
            <tbody>
              {invitations.data.map((one) => (
                <tr key={one.id}>
                  <td className={styles.wide}>{one.note || 'No note'}</td>
                  <td>{one.role}</td>
                  <td>{expiry(one.expires_at)}</td>
                  <td>
                    <Button aria-label={`Revoke ${one.note || 'invitation'}`} onClick={() => revoke.mutate(one.id)}>
                      Revoke
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
