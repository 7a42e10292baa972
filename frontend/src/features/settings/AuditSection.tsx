import { useState } from 'react'
import { useAudit } from '../../api'
import { More, Notice, RelativeTime, Tag } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

export function AuditSection() {
  const [actor, setActor] = useState('')
  const audit = useAudit(actor.trim())
  const entries = audit.data?.pages.flatMap((page) => page.items)
  return (
    <>
      <h1>Audit log</h1>
      <p className={styles.soft}>
        Sign-ins, reads, downloads, changes and denied requests. <code>casebook audit verify</code> detects altered or missing entries.
      </p>
      <div className={styles.form}>
        <Field
          label="Actor"
          placeholder="name"
          value={actor}
          onValue={setActor}
        />
      </div>
      {audit.error && !audit.isFetchNextPageError && <Notice what="The audit log could not be read." retry={() => void audit.refetch()}>{audit.error.message}</Notice>}
      {entries?.length === 0 && <p className={styles.soft}>No entries.</p>}
      {entries && entries.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Audit log entries">
          <table className={styles.table} data-testid="audit">
            <thead>
              <tr>
                <th scope="col">#</th>
                <th scope="col">Time</th>
                <th scope="col">Actor</th>
                <th scope="col">Method</th>
                <th scope="col">Action</th>
                <th scope="col">Subject</th>
                <th scope="col">Address</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.number}>
                  <td>{entry.number}</td>
                  <td>
                    <RelativeTime at={entry.at} />
                  </td>
                  <td>{entry.actor || 'anonymous'}</td>
                  <td>{entry.via}</td>
                  <td>
                    {entry.action} {entry.is_refused && <Tag tone="match">refused</Tag>}
                  </td>
                  <td className={styles.wide}>{entry.subject}</td>
                  <td>{entry.address}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <More of={audit} label="Show older entries" />
    </>
  )
}
