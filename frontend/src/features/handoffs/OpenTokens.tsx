import type { OpenClassName, Redaction } from '../../api'
import styles from './handoffs.module.css'
import { openClassLabel } from './labels'

type Props = {
  classes: Redaction['open_classes']
  reviewed: ReadonlySet<OpenClassName>
  onReview: (name: OpenClassName, isReviewed: boolean) => void
}

/** Open tokens by class with their context, and a tick per class. */
export function OpenTokens({ classes, reviewed, onReview }: Props) {
  if (classes.length === 0) return null
  return (
    <section aria-label="Open tokens" className={styles.open}>
      <h3>Open tokens</h3>
      <p className={styles.soft}>No rule classified these tokens. They may be names and were not replaced. Review each class before you create a link.</p>
      {classes.map(({ name, distinct, tokens }) => (
        <fieldset key={name} className={styles.choice}>
          <legend>
            {openClassLabel(name)} ({distinct.toLocaleString('en')})
          </legend>
          <div tabIndex={0} role="region" aria-label={`Open tokens: ${openClassLabel(name)}`} className={styles.tokens}>
            <ul>
              {tokens.map((token) => (
                <li key={token.text}>
                  <code>
                    {token.before}
                    <mark>{token.text}</mark>
                    {token.behind}
                  </code>
                  <span className={styles.soft}>
                    {token.where.replace(/^evidence\/\d+\//, '')}:{token.line}
                    {token.names > 1 && `, ${token.names.toLocaleString('en')} names`}
                    {token.count > 1 && `, ${token.count.toLocaleString('en')} times`}
                  </span>
                </li>
              ))}
            </ul>
          </div>
          {distinct > tokens.length && <p className={styles.soft}>{(distinct - tokens.length).toLocaleString('en')} more are not listed.</p>}
          <label>
            <input type="checkbox" checked={reviewed.has(name)} onChange={(event) => onReview(name, event.target.checked)} /> I reviewed this class
          </label>
        </fieldset>
      ))}
    </section>
  )
}
