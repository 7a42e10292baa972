import { type FormEvent, useId, useState } from 'react'
import { type Handoff, type OpenClassName, useCreateHandoffLink, useRevokeHandoffLink } from '../../api'
import { Button, Command, Notice, RelativeTime, useToast } from '../../ui'
import styles from './handoffs.module.css'

const DAYS = 14

type Props = { caseId: string; handoff: Handoff; reviewed: ReadonlySet<OpenClassName> }

/** Access links of a handoff: create, view usage, revoke. A link needs a tick for each class of open tokens. */
export function Links({ caseId, handoff, reviewed }: Props) {
  const create = useCreateHandoffLink(caseId, handoff.id)
  const revoke = useRevokeHandoffLink(caseId, handoff.id)
  const toast = useToast()
  const ids = { days: useId(), views: useId() }
  const [days, setDays] = useState(DAYS)
  const [views, setViews] = useState('')
  const [isReviewed, setIsReviewed] = useState(false)
  const [newLink, setNewLink] = useState<{ id: string; url: string }>()
  const leaks = handoff.redaction?.leaks.length ?? 0
  const isOpen = handoff.redaction?.open_classes.some(({ name }) => !reviewed.has(name)) ?? false
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void create
      .mutateAsync({ days, views: views ? Number(views) : null, is_reviewed: isReviewed, reviewed_classes: [...reviewed] })
      .then((created) => setNewLink({ id: created.handoff.shares.find(({ id }) => handoff.shares.every((share) => share.id !== id))?.id ?? '', url: created.url }), () => undefined)
  }
  const failed = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const active = handoff.shares.filter((share) => !share.revoked_at)
  const isRevoked = handoff.shares.some((share) => share.id === newLink?.id && share.revoked_at)
  return (
    <section aria-label="Links">
      {handoff.state !== 'closed' && (
        <form className={styles.row} onSubmit={submit}>
          <label htmlFor={ids.days}>Valid for (days)</label>
          <input id={ids.days} type="number" min={1} max={365} value={days} onChange={(event) => setDays(Number(event.target.value))} />
          <label htmlFor={ids.views}>View limit</label>
          <input id={ids.views} type="number" min={1} max={10_000} value={views} placeholder="none" onChange={(event) => setViews(event.target.value)} />
          {leaks > 0 && (
            <label>
              <input type="checkbox" checked={isReviewed} onChange={(event) => setIsReviewed(event.target.checked)} /> I reviewed the {leaks} possible leaks
            </label>
          )}
          <Button type="submit" look="primary" disabled={create.isPending || isOpen || (leaks > 0 && !isReviewed)}>
            Create link
          </Button>
        </form>
      )}
      {create.error && <Notice what="The link was not created.">{create.error.message}</Notice>}
      {newLink && !isRevoked && (
        <>
          <p>Link for {handoff.recipient}. It opens the handoff without an account. Shown only once.</p>
          <Command text={newLink.url} name="link" />
        </>
      )}
      {active.length > 0 && (
        <ul className={styles.list} aria-label="Active links">
          {active.map((share) => (
            <li key={share.id}>
              opened {share.views} {share.views === 1 ? 'time' : 'times'}
              {share.opened_at && (
                <>
                  , last <RelativeTime at={share.opened_at} />
                </>
              )}
              , expires {share.expires_at.slice(0, 10)}
              {share.views_left !== null && `, ${share.views_left} ${share.views_left === 1 ? 'view' : 'views'} left`}{' '}
              <Button look="quiet" onClick={() => void revoke.mutateAsync(share.id).then(() => toast('Link revoked, also for people who have opened it.'), failed)}>
                Revoke link
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
