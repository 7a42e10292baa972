import { useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { COLLECT_DAYS, useCollectToken } from '../../api'
import { Button, Command, Notice } from '../../ui'
import styles from './collect.module.css'

/** The collector command for an affected host; its token is created on request and uploads to this case only. */
export function CollectButton({ caseId }: { caseId: string }) {
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const token = useCollectToken(caseId)
  const command = token.data && `curl -fsS -H 'Authorization: Bearer ${token.data.secret}' ${window.location.origin}/collect.sh`
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        Collect
      </Button>
      {createPortal(
        <dialog ref={dialog} className={styles.dialog} aria-labelledby={title} onClose={token.reset}>
          <h2 id={title}>Collect from a host</h2>
          <p>
            Run this command on the affected host. It takes at most 90 seconds, opens no file that can block, changes nothing, and asks for confirmation before it uploads to
            this case.
          </p>
          {token.error && (
            <Notice what="The command could not be created." retry={() => token.mutate()}>
              {token.error.message}
            </Notice>
          )}
          {command ? (
            <div role="status" className={styles.commands}>
              <h3>Full (90 s)</h3>
              <Command text={`${command} | sudo sh`} name="Collect" />
              <h3>Before a restart (30 s)</h3>
              <Command text={`${command} | sudo sh -s -- --grab`} name="Collect before a restart" />
              <p className={styles.soft}>
                Its token can only add evidence to this case. It expires in {COLLECT_DAYS * 24} hours and is shown once. Without root, omit <code>sudo</code>; the collector lists the steps it
                skipped.
              </p>
            </div>
          ) : (
            <Button look="primary" onClick={() => token.mutate()} disabled={token.isPending}>
              {token.isPending ? 'Creating…' : 'Create command'}
            </Button>
          )}
          <form method="dialog" className={styles.end}>
            <Button type="submit">Done</Button>
          </form>
        </dialog>,
        document.body,
      )}
    </>
  )
}
