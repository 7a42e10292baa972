import type { Fix } from '../../api'
import { Command } from '../../ui'
import styles from './findings.module.css'

/** A fix: command, risk, verification and undo. */
export function FixCard({ fix, isFirst = false }: { fix: Fix; isFirst?: boolean }) {
  const rows: [string, string | null | undefined][] = [
    ['Scope', fix.scope],
    ['Run on', fix.first_on],
    ['Risk', fix.risk],
    ['Unsafe if', fix.unsafe_if.join('; ')],
    ['Verify', fix.verify],
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
          <span className={styles.soft}>Undo:</span> <code>{fix.undo}</code>
        </div>
      )}
    </div>
  )
}
