import { useState } from 'react'
import { useAudit } from '../../api'
import { Ago, More, Notice, Tag } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

export function AuditSection() {
  const [actor, setActor] = useState('')
  const audit = useAudit(actor.trim())
  const entries = audit.data?.pages.flatMap((page) => page.told)
  return (
    <>
      <h1>Audit log</h1>
      <p className={styles.soft}>
        Who came in, looked, took away, changed, or was refused. Nothing leaves without an entry; <code>casebook audit verify</code> checks that none was changed.
      </p>
      <div className={styles.form}>
        <Field
          label="Only of"
          placeholder="name"
          value={actor}
          onValue={setActor}
        />
      </div>
      {audit.error && !audit.isFetchNextPageError && <Notice what="The audit log could not be read." retry={() => void audit.refetch()}>{audit.error.message}</Notice>}
      {entries?.length === 0 && <p className={styles.soft}>No entries.</p>}
      {entries && entries.length > 0 && (
        <div className={styles.box} tabIndex={0} role="region" aria-label="Entries of the audit log">
          <table className={styles.table} data-testid="audit">
            <thead>
              <tr>
                <th scope="col">#</th>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">By</th>
                <th scope="col">Action</th>
                <th scope="col">What</th>
                <th scope="col">From</th>
              </tr>
            </thead>
            <tbody>
              {entries.map((entry) => (
                <tr key={entry.number}>
                  <td>{entry.number}</td>
                  <td>
                    <Ago at={entry.at} />
                  </td>
                  <td>{entry.actor || 'nobody'}</td>
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
      <More of={audit} label="Older entries" />
    </>
  )
}
