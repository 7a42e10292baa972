import { type SandboxStatus, useStatus } from '../../api'
import { Notice, RelativeTime, Tag } from '../../ui'
import styles from './settings.module.css'

/** The parser sandbox of every machine that reads evidence. */
export function ServiceSection() {
  const status = useStatus()
  const sandboxes = status.data?.sandboxes
  return (
    <>
      <h1>Service</h1>
      {status.error && <Notice what="The status could not be loaded." retry={() => void status.refetch()}>{status.error.message}</Notice>}
      <h2>Parser sandbox</h2>
      <p className={styles.soft}>
        Restrictions that the kernel of each machine grants. <code>CASEBOOK_SANDBOX=required</code> refuses to read evidence with fewer than all.
      </p>
      {sandboxes?.length === 0 && <Notice what="No worker reports a sandbox.">Evidence is not read until a worker runs.</Notice>}
      {sandboxes && sandboxes.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Parser sandbox">
          <table className={styles.table} data-testid="sandboxes">
            <thead>
              <tr>
                <th scope="col">Host</th>
                <th scope="col">Kernel</th>
                <th scope="col">Status</th>
                <th scope="col">Files</th>
                <th scope="col">Network</th>
                <th scope="col">System calls</th>
                <th scope="col">Policy</th>
                <th scope="col">Reported</th>
              </tr>
            </thead>
            <tbody>{sandboxes.map((one) => <SandboxRow key={one.host} sandbox={one} />)}</tbody>
          </table>
        </div>
      )}
    </>
  )
}

function SandboxRow({ sandbox }: { sandbox: SandboxStatus }) {
  return (
    <tr>
      <td>{sandbox.host}</td>
      <td>{sandbox.kernel}</td>
      <td>{sandbox.is_complete ? <Tag tone="calm">Complete</Tag> : <Tag tone="suspect">Missing: {sandbox.missing.join(', ')}</Tag>}</td>
      <td>{sandbox.files === 'landlock' ? `Landlock ${sandbox.landlock}` : 'Mount namespace'}</td>
      <td>{sandbox.network_namespace ? 'Namespace, seccomp' : 'seccomp'}</td>
      <td>{sandbox.seccomp ? 'seccomp' : 'None'}</td>
      <td>{sandbox.policy}</td>
      <td>
        <RelativeTime at={sandbox.reported_at} />
      </td>
    </tr>
  )
}
