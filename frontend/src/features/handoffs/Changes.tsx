import { useState } from 'react'
import { useChanges } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './handoffs.module.css'
import { difference, type Part } from './labels'

/** Lines before and after redaction, one below the other, with changes marked. */
export function Changes({ caseId, handoffId, item }: { caseId: string; handoffId: string; item: number }) {
  const [cursor, setCursor] = useState('')
  const page = useChanges(caseId, handoffId, item, cursor)
  if (page.error) return <Notice what="The changes could not be loaded.">{page.error.message}</Notice>
  if (!page.data) return <p role="status">Loading…</p>
  const next = page.data.next_cursor
  return (
    <>
      <div className={styles.changes} tabIndex={0} role="region" aria-label="Changed lines" data-testid="changes">
        {page.data.items.map((row) => {
          const parts = difference(row.before, row.after)
          return (
            <div key={row.line} className={styles.change}>
              <span className={styles.line}>{row.line}</span>
              <code className={styles.before}>
                <span className="sr-only">before: </span>
                <Parts parts={parts.before} as="del" />
              </code>
              <code className={styles.after}>
                <span className="sr-only">after: </span>
                <Parts parts={parts.after} as="ins" />
              </code>
            </div>
          )
        })}
      </div>
      {(cursor || next) && (
        <p className={styles.actions}>
          {cursor && <Button onClick={() => setCursor('')}>First 200</Button>}
          {next && <Button onClick={() => setCursor(next)}>Next 200</Button>}
        </p>
      )}
    </>
  )
}

function Parts({ parts, as: Mark }: { parts: readonly Part[]; as: 'del' | 'ins' }) {
  return parts.map(({ text, isChanged }, at) => (isChanged ? <Mark key={at}>{text}</Mark> : <span key={at}>{text}</span>))
}
