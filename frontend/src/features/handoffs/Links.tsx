import { type FormEvent, useId, useState } from 'react'
import { type Handoff, useEndHandoffLink, useOfferHandoff } from '../../api'
import { Ago, Button, Command, Notice, useToast } from '../../ui'
import styles from './handoffs.module.css'

const DAYS = 14

/** Links that open a handoff: make one, see how often each was opened, end it. */
export function Links({ caseId, handoff }: { caseId: string; handoff: Handoff }) {
  const offer = useOfferHandoff(caseId, handoff.id)
  const end = useEndHandoffLink(caseId, handoff.id)
  const say = useToast()
  const ids = { days: useId(), views: useId() }
  const [days, setDays] = useState(DAYS)
  const [views, setViews] = useState('')
  const [isReviewed, setIsReviewed] = useState(false)
  const [made, setMade] = useState<{ id: string; url: string }>()
  const leaks = handoff.redaction?.leaks.length ?? 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void offer
      .mutateAsync({ days, views: views ? Number(views) : null, is_reviewed: isReviewed })
      .then((told) => setMade({ id: told.handoff.shares.find(({ id }) => handoff.shares.every((share) => share.id !== id))?.id ?? '', url: told.url }), () => undefined)
  }
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true })
  const open = handoff.shares.filter((share) => !share.revoked_at)
  const hasEnded = handoff.shares.some((share) => share.id === made?.id && share.revoked_at)
  return (
    <section aria-label="Links">
      {handoff.state !== 'closed' && (
        <form className={styles.row} onSubmit={submit}>
          <label htmlFor={ids.days}>Good for days</label>
          <input id={ids.days} type="number" min={1} max={365} value={days} onChange={(event) => setDays(Number(event.target.value))} />
          <label htmlFor={ids.views}>and views</label>
          <input id={ids.views} type="number" min={1} max={10_000} value={views} placeholder="any" onChange={(event) => setViews(event.target.value)} />
          {leaks > 0 && (
            <label>
              <input type="checkbox" checked={isReviewed} onChange={(event) => setIsReviewed(event.target.checked)} /> I looked at the {leaks} places that may tell a name
            </label>
          )}
          <Button type="submit" look="primary" disabled={offer.isPending || (leaks > 0 && !isReviewed)}>
            Make a link
          </Button>
        </form>
      )}
      {offer.error && <Notice what="No link was made.">{offer.error.message}</Notice>}
      {made && !hasEnded && (
        <>
          <p>Send this to {handoff.recipient}. It opens the handoff without an account, and is shown this once.</p>
          <Command text={made.url} name="link" />
        </>
      )}
      {open.length > 0 && (
        <ul className={styles.list} aria-label="Links that hold">
          {open.map((share) => (
            <li key={share.id}>
              opened {share.views} {share.views === 1 ? 'time' : 'times'}
              {share.opened_at && (
                <>
                  , last <Ago at={share.opened_at} />
                </>
              )}
              , ends {share.expires_at.slice(0, 10)}
              {share.views_left !== null && `, ${share.views_left} ${share.views_left === 1 ? 'view' : 'views'} left`}{' '}
              <Button look="quiet" onClick={() => void end.mutateAsync(share.id).then(() => say('The link has ended, also for whoever had opened it.'), failed)}>
                End link
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
