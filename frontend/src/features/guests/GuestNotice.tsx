import { useEffect, useState } from 'react'
import { useEndGuestCase, useGuest, useIsGuest, useKeepGuestCase } from '../../api'
import { Button, useToast } from '../../ui'
import styles from './guests.module.css'
import { clock, durationText } from './labels'

/** A notice on every page while this browser has a guest case: when it expires, and how to keep it. */
export function GuestNotice() {
  const guestCase = useGuest().data?.case
  const isGuest = useIsGuest()
  return guestCase ? <ExpiryNotice guestCase={guestCase} isGuest={isGuest} /> : null
}

type Props = { guestCase: { number: number; title: string; expires_at: string }; isGuest: boolean }

function ExpiryNotice({ guestCase, isGuest }: Props) {
  const keep = useKeepGuestCase()
  const end = useEndGuestCase()
  const toast = useToast()
  const [isConfirming, setIsConfirming] = useState(false)
  const showError = (error: unknown) => toast(error instanceof Error ? error.message : String(error), { isError: true })
  const onKeep = () => void keep.mutateAsync().then(({ number }) => window.location.assign(`/cases/${number}`), showError)
  const onEnd = () => void end.mutateAsync().then(() => window.location.assign(isGuest ? '/sign-in' : '/'), showError)
  return (
    <aside className={styles.notice} aria-label="Guest case" data-testid="guest-notice">
      <p>
        {isGuest ? (
          <>
            <strong>
              Deleted in <TimeLeft until={guestCase.expires_at} />
            </strong>
            , at {clock(guestCase.expires_at)}, with all its evidence. Only this browser can open it.
          </>
        ) : (
          <>
            <strong>{guestCase.title}</strong>, your guest case, will be deleted in <TimeLeft until={guestCase.expires_at} />, at {clock(guestCase.expires_at)}.
          </>
        )}
      </p>
      <div className={styles.row}>
        {isConfirming ? (
          <>
            <span>This cannot be undone.</span>
            <Button onClick={onEnd} disabled={end.isPending}>
              Delete permanently
            </Button>
            <Button look="quiet" onClick={() => setIsConfirming(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <>
            {isGuest ? (
              <>
                <a href={`/sign-in?next=${encodeURIComponent(`/cases/${guestCase.number}`)}`}>Sign in to keep it</a>
                <a href="/sign-in">Paste more</a>
              </>
            ) : (
              <Button look="primary" onClick={onKeep} disabled={keep.isPending}>
                Keep this case
              </Button>
            )}
            <Button look="quiet" onClick={() => setIsConfirming(true)}>
              Delete now
            </Button>
          </>
        )}
      </div>
    </aside>
  )
}

/** The time left, updated every 10 seconds. */
function TimeLeft({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return <time dateTime={until}>{durationText((Date.parse(until) - now) / 1000)}</time>
}
