import { type ReactNode, useEffect, useState } from 'react'
import { passOf, Problem, useOpenShare, useShared } from '../../api'
import { Button, Notice, Shell } from '../../ui'
import styles from './handoffs.module.css'
import { SharedView } from './SharedView'

/** Page behind a handoff link, without an account. */
export function SharePage({ secret, home, help }: { secret: string; home: ReactNode; help: ReactNode }) {
  return (
    <Shell home={home} account={help}>
      <Shared key={secret} secret={secret} />
    </Shell>
  )
}

/** Opens the link only after confirmation, since opening consumes a view. */
function Shared({ secret }: { secret: string }) {
  const open = useOpenShare()
  const [storedPass, setStoredPass] = useState(() => (secret ? passOf(secret) : ''))
  const pass = open.data?.share_pass ?? storedPass
  const shared = useShared(pass)
  useEffect(() => {
    document.title = shared.data ? `${shared.data.title} · Casebook` : 'Shared case · Casebook'
  }, [shared.data])
  if (!secret) return <LinkError what="Incomplete link.">The part after # is missing. Copy the whole link.</LinkError>
  if (open.error) {
    const isRetryable = open.error instanceof Problem && open.error.isRetryable
    return (
      <LinkError what="The case could not be opened." retry={isRetryable ? () => open.mutate(secret) : undefined}>
        {open.error.message}
      </LinkError>
    )
  }
  const reopen = () => {
    open.reset()
    setStoredPass('')
  }
  if (shared.error && !shared.data) {
    return (
      <LinkError what="The handoff is no longer available." retry={reopen}>
        {shared.error.message}
      </LinkError>
    )
  }
  if (!pass) {
    return (
      <section className={styles.centred} aria-label="Shared case">
        <h1>Case handoff</h1>
        <p>Redacted evidence of a kernel incident, with findings and the sender's question. Names are pseudonyms. The sender sees when you open it.</p>
        <p>
          <Button look="primary" disabled={open.isPending} onClick={() => open.mutate(secret)}>
            Open case
          </Button>
        </p>
      </section>
    )
  }
  if (!shared.data) return <p role="status">Opening case…</p>
  return <SharedView pass={pass} handoff={shared.data} staleReason={shared.error?.message ?? ''} />
}

function LinkError({ what, children, retry }: { what: string; children: string; retry?: (() => void) | undefined }) {
  return (
    <div className={styles.centred}>
      <h1>Case handoff</h1>
      <Notice what={what} retry={retry}>
        {children}
      </Notice>
    </div>
  )
}
