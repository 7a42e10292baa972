import type { Fix } from '../../api'
import { Command } from '../../ui'
import styles from './findings.module.css'

/** A cure or relief: what to run, what it risks, how to take it back, how to see that it worked. */
export function FixCard({ fix, isFirst = false }: { fix: Fix; isFirst?: boolean }) {
  const rows: [string, string | null | undefined][] = [
    ['Scope', [fix.scope, fix.first_on && `first on ${fix.first_on}`].filter(Boolean).join(', ')],
    ['Risk', fix.risk],
    ['Not if', fix.unsafe_if.join('; ')],
    ['It worked when', fix.verify],
    ['Source', fix.status],
  ]
  return (
    <div className={styles.fix} data-first={isFirst || undefined}>
      <p className={styles.fixTitle}>
        {fix.title} {fix.kind && <span className={styles.soft}>{fix.kind}</span>}
      </p>
      {fix.run && <Command text={fix.run} name={fix.title} />}
      <dl className={styles.small}>
        {rows.map(([name, text]) =>
          text ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ) : null,
        )}
      </dl>
      {fix.undo && (
        <div className={styles.undo}>
          <span className={styles.soft}>Undo</span> <code>{fix.undo}</code>
        </div>
      )}
    </div>
  )
}
