import { useState } from 'react'
import { useAudit } from '../../api'
import { Ago, Button, Notice, Tag } from '../../ui'
import { Field } from './Field'
import styles from './settings.module.css'

export function AuditSection() {
  const [actor, setActor] = useState('')
  const [before, setBefore] = useState<number>()
  const audit = useAudit(actor.trim(), before)
  const oldest = audit.data?.at(-1)?.number
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
          onValue={(value) => {
            setActor(value)
            setBefore(undefined)
          }}
        />
        {before !== undefined && <Button onClick={() => setBefore(undefined)}>Newest</Button>}
        {oldest !== undefined && oldest > 1 && <Button onClick={() => setBefore(oldest)}>Older</Button>}
      </div>
      {audit.error && <Notice what="The audit log could not be read." retry={() => void audit.refetch()}>{audit.error.message}</Notice>}
      {audit.data?.length === 0 && <p className={styles.soft}>No entries.</p>}
      {audit.data && audit.data.length > 0 && (
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
              {audit.data.map((entry) => (
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
    </>
  )
}
