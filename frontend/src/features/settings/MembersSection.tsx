import { useState } from 'react'
import { type Member, type Role, useInvitations, useInvite, useMembers, useUpdateMember, useWithdraw } from '../../api'
import { Button, Notice, Tag, useToast } from '../../ui'
import { Field } from './Field'
import { Once } from './Once'
import { ends } from './pages'
import { RoleSelect } from './RoleSelect'
import styles from './settings.module.css'

export function MembersSection({ isAdmin }: { isAdmin: boolean }) {
  const members = useMembers()
  return (
    <>
      <h1>Members</h1>
      <p className={styles.soft}>Viewers read, responders work on cases, curators also say who sees a case, admins keep members, teams and the audit log.</p>
      {members.error && <Notice what="The members could not be read." retry={() => void members.refetch()}>{members.error.message}</Notice>}
      {isAdmin && <Invitations />}
      <div className={styles.box} tabIndex={0} role="region" aria-label="Everybody who may come in">
        <table className={styles.table} data-testid="members">
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Role</th>
              <th scope="col">State</th>
              {isAdmin && (
                <th scope="col">Change</th>
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
  const say = useToast()
  const isOut = member.disabled_at !== null
  const fails = { onError: (error: Error) => say(error.message, { isError: true }) }
  const keepOut = (isDisabled: boolean) =>
    update.mutate(
      { id: member.id, is_disabled: isDisabled },
      { ...fails, onSuccess: () => say(isDisabled ? `${member.name} is out.` : `${member.name} may come in again.`, isDisabled ? { undo: () => keepOut(false) } : {}) },
    )
  return (
    <tr>
      <td className={styles.wide}>
        {member.name} {member.is_owner && <Tag>runs this instance</Tag>} {member.is_service && <Tag>service</Tag>}
      </td>
      <td>
        {isAdmin && !member.is_owner ? (
          <RoleSelect label={`Role of ${member.name}`} role={member.role} onRole={(role) => update.mutate({ id: member.id, role }, fails)} />
        ) : (
          member.role
        )}
      </td>
      <td>{isOut ? <Tag tone="suspect">kept out</Tag> : <Tag tone="calm">may come in</Tag>}</td>
      {isAdmin && (
        <td>
          {!member.is_owner && (
            <Button aria-label={`${isOut ? 'Let in' : 'Keep out'} ${member.name}`} onClick={() => keepOut(!isOut)}>
              {isOut ? 'Let in' : 'Keep out'}
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
  const withdraw = useWithdraw()
  const [note, setNote] = useState('')
  const [role, setRole] = useState<Role>('responder')
  const failed = invite.error ?? withdraw.error
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          invite.mutate({ role, note }, { onSuccess: () => setNote('') })
        }}
      >
        <Field label="Invite, for your own notes" placeholder="Ada, storage team" maxLength={200} value={note} onValue={setNote} />
        <div className={styles.field}>
          <label htmlFor="invite-role">Role</label>
          <RoleSelect id="invite-role" label="Role of the invited" role={role} onRole={setRole} />
        </div>
        <Button type="submit" look="primary" disabled={invite.isPending}>
          Make an invitation
        </Button>
      </form>
      {failed && <Notice what="That did not work.">{failed.message}</Notice>}
      {invite.data && <Once what="Send this address to one person; it makes one account." text={invite.data.url} />}
      {invitations.data && invitations.data.length > 0 && (
        <div className={styles.box}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">Open invitation</th>
                <th scope="col">Role</th>
                <th scope="col">Ends</th>
                <th scope="col">Withdraw</th>
              </tr>
            </thead>
            <tbody>
              {invitations.data.map((one) => (
                <tr key={one.id}>
                  <td className={styles.wide}>{one.note || 'without a note'}</td>
                  <td>{one.role}</td>
                  <td>{ends(one.expires_at)}</td>
                  <td>
                    <Button aria-label={`Withdraw ${one.note || 'the invitation'}`} onClick={() => withdraw.mutate(one.id)}>
                      Withdraw
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
