import { type ReactNode, useEffect, useState } from 'react'
import { passOf, Problem, useOpenShare, useShared } from '../../api'
import { Button, Notice, Shell } from '../../ui'
import styles from './handoffs.module.css'
import { SharedView } from './SharedView'

/** What somebody without an account sees who has a link. */
export function SharePage({ secret, home }: { secret: string; home: ReactNode }) {
  return (
    <Shell home={home}>
      <Shared key={secret} secret={secret} />
    </Shell>
  )
}

/** Nothing is opened before they say so. */
function Shared({ secret }: { secret: string }) {
  const open = useOpenShare()
  const [kept, setKept] = useState(() => (secret ? passOf(secret) : ''))
  const pass = open.data?.share_pass ?? kept
  const shared = useShared(pass)
  useEffect(() => {
    document.title = shared.data ? `${shared.data.title} · Casebook` : 'A case for you · Casebook'
  }, [shared.data])
  if (!secret) return <Lone what="This link is not whole.">What stands behind # is missing; copy all of it.</Lone>
  if (open.error) {
    const isWorthIt = open.error instanceof Problem && open.error.isWorthAnotherTry
    return (
      <Lone what="The case was not opened." retry={isWorthIt ? () => open.mutate(secret) : undefined}>
        {open.error.message}
      </Lone>
    )
  }
  const again = () => {
    open.reset()
    setKept('')
  }
  if (shared.error && !shared.data) {
    return (
      <Lone what="What was handed over cannot be shown any more." retry={again}>
        {shared.error.message}
      </Lone>
    )
  }
  if (!pass) {
    return (
      <section className={styles.lone} aria-label="A case for you">
        <h1>A case is handed to you</h1>
        <p>It holds evidence of a kernel incident, what it shows and what is asked. Names in it are pseudonyms. Opening it tells its sender.</p>
        <p>
          <Button look="primary" disabled={open.isPending} onClick={() => open.mutate(secret)}>
            Open the case
          </Button>
        </p>
      </section>
    )
  }
  if (!shared.data) return <p role="status">Opening the case…</p>
  return <SharedView pass={pass} handoff={shared.data} whyOld={shared.error?.message ?? ''} />
}

function Lone({ what, children, retry }: { what: string; children: string; retry?: (() => void) | undefined }) {
  return (
    <div className={styles.lone}>
      <h1>A case is handed to you</h1>
      <Notice what={what} retry={retry}>
        {children}
      </Notice>
    </div>
  )
}
