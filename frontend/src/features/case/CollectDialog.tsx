import { useState } from 'react'
import { COLLECT_DAYS, useCollectToken } from '../../api'
import { Button, Command, Dialog, Notice, Segments } from '../../ui'
import styles from './collect.module.css'
import { CollectorScript } from './CollectorScript'

type Way = 'command' | 'script'
const WAYS: readonly { value: Way; label: string; hint: string }[] = [
  { value: 'command', label: 'One command', hint: 'The host reaches this service' },
  { value: 'script', label: 'File or text', hint: 'The host does not reach this service' },
]

/** How to run the collector on an affected host: by one command that uploads to the case, or from a file or text. */
export function CollectDialog({ caseId, onClose }: { caseId: string; onClose: () => void }) {
  const [way, setWay] = useState<Way>('command')
  return (
    <Dialog title="Collect from a host" isWide onClose={onClose}>
      <p>Takes at most 90 seconds, opens no file that can block, and changes nothing on the host.</p>
      <div>
        <Segments label="Way to run the collector" value={way} options={WAYS} onChange={setWay} />
      </div>
      {way === 'command' ? <OneCommand caseId={caseId} /> : <CollectorScript />}
    </Dialog>
  )
}

/** The command with a token that is created on request and uploads to this case only. */
function OneCommand({ caseId }: { caseId: string }) {
  const token = useCollectToken(caseId)
  const command = token.data && `curl -fsS -H 'Authorization: Bearer ${token.data.secret}' ${window.location.origin}/collect.sh`
  return (
    <>
      <p>The collector shows what it collected and asks for confirmation before it uploads to this case.</p>
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
        <div>
          <Button look="primary" onClick={() => token.mutate()} disabled={token.isPending}>
            {token.isPending ? 'Creating…' : 'Create command'}
          </Button>
        </div>
      )}
    </>
  )
}
