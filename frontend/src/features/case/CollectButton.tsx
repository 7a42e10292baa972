import { useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { COLLECT_DAYS, useCollectToken } from '../../api'
import { Button, Command, Notice } from '../../ui'
import styles from './collect.module.css'

/** The line to run on a host in trouble: its evidence comes to this case. A token is made only when asked for. */
export function CollectButton({ caseId }: { caseId: string }) {
  const title = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const token = useCollectToken(caseId)
  const fetched = token.data && `curl -fsS -H 'Authorization: Bearer ${token.data.secret}' ${window.location.origin}/collect.sh`
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => dialog.current?.showModal()}>
        Collect
      </Button>
      {createPortal(
        <dialog ref={dialog} className={styles.dialog} aria-labelledby={title} onClose={token.reset}>
          <h2 id={title}>Collect from a host</h2>
          <p>
            One line for the host in trouble. It takes 90 seconds at most, opens nothing that may be stuck, changes nothing, shows what it has and asks before it sends it
            to this case.
          </p>
          {token.error && (
            <Notice what="The command was not made." retry={() => token.mutate()}>
              {token.error.message}
            </Notice>
          )}
          {fetched ? (
            <div role="status" className={styles.commands}>
              <h3>With time</h3>
              <Command text={`${fetched} | sudo sh`} name="Collect" />
              <h3>Right before a restart, 30 seconds</h3>
              <Command text={`${fetched} | sudo sh -s -- --grab`} name="Collect before a restart" />
              <p className={styles.soft}>
                The token in it sends evidence to this case and reads nothing. It ends in {COLLECT_DAYS * 24} hours and is shown this once. Without root, leave out <code>sudo</code>: it says
                what it could not do.
              </p>
            </div>
          ) : (
            <Button look="primary" onClick={() => token.mutate()} disabled={token.isPending}>
              {token.isPending ? 'Making it…' : 'Make the command'}
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
