import { useEffect, useState } from 'react'
import { useEndGuestCase, useGuest, useIsGuest, useKeepGuestCase } from '../../api'
import { Button, useToast } from '../../ui'
import styles from './guests.module.css'
import { clock, span } from './words'

/** On every page while this browser has a case that it sent without signing in: until when, and how to keep it. */
export function GuestNotice() {
  const held = useGuest().data?.case
  const isGuest = useIsGuest()
  return held ? <Held held={held} isGuest={isGuest} /> : null
}

type Props = { held: { number: number; title: string; expires_at: string }; isGuest: boolean }

function Held({ held, isGuest }: Props) {
  const keep = useKeepGuestCase()
  const end = useEndGuestCase()
  const say = useToast()
  const [isSure, setIsSure] = useState(false)
  const failed = (error: unknown) => say(error instanceof Error ? error.message : String(error), { isError: true })
  const onKeep = () => void keep.mutateAsync().then(({ number }) => window.location.assign(`/cases/${number}`), failed)
  const onEnd = () => void end.mutateAsync().then(() => window.location.assign(isGuest ? '/sign-in' : '/'), failed)
  return (
    <aside className={styles.notice} aria-label="Sent without signing in" data-testid="guest-notice">
      <p>
        {isGuest ? (
          <>
            <strong>
              Deleted in <Left until={held.expires_at} />
            </strong>
            , at {clock(held.expires_at)}, with everything in it. Only this browser opens it.
          </>
        ) : (
          <>
            <strong>{held.title}</strong>, which you sent before you signed in, is deleted in <Left until={held.expires_at} />, at {clock(held.expires_at)}.
          </>
        )}
      </p>
      <div className={styles.row}>
        {isSure ? (
          <>
            <span>It cannot be brought back.</span>
            <Button onClick={onEnd} disabled={end.isPending}>
              Delete for good
            </Button>
            <Button look="quiet" onClick={() => setIsSure(false)}>
              Leave it
            </Button>
          </>
        ) : (
          <>
            {isGuest ? (
              <>
                <a href={`/sign-in?next=${encodeURIComponent(`/cases/${held.number}`)}`}>Sign in to keep it</a>
                <a href="/sign-in">Paste more</a>
              </>
            ) : (
              <Button look="primary" onClick={onKeep} disabled={keep.isPending}>
                Keep it as my case
              </Button>
            )}
            <Button look="quiet" onClick={() => setIsSure(true)}>
              Delete it now
            </Button>
          </>
        )}
      </div>
    </aside>
  )
}

/** What is left of the time; it is told anew every few seconds. */
function Left({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  return <time dateTime={until}>{span((Date.parse(until) - now) / 1000)}</time>
}
