import type { SandboxStatus } from '../../api'
import { Notice, RelativeTime, Tag } from '../../ui'
import styles from './settings.module.css'

/** The parser sandbox of every machine that reads evidence. */
export function SandboxTable({ sandboxes }: { sandboxes: readonly SandboxStatus[] }) {
  if (sandboxes.length === 0) return <Notice what="No worker reports a sandbox.">Evidence is not read until a worker runs.</Notice>
  return (
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
