import { useState } from 'react'
import type { OpenClassName, Redaction, TokenReplacement } from '../../api'
import { Button } from '../../ui'
import styles from './handoffs.module.css'
import { openClassLabel } from './labels'

type Props = {
  classes: Redaction['open_classes']
  /** What a replacement redacts again. */
  what: 'handoff' | 'draft'
  /** The reviewed classes; absent where none has to be confirmed. */
  reviewed?: ReadonlySet<OpenClassName>
  onReview?: (name: OpenClassName, isReviewed: boolean) => void
  /** Replaces the chosen tokens; absent once a link exists. */
  onReplace?: ((tokens: TokenReplacement[]) => void) | undefined
}

const keyOf = ({ name, text }: TokenReplacement) => `${name}:${text}`

/** Open tokens by class with their context: replace some or all of a class, keep the others, and tick the class. */
export function OpenTokens({ classes, what, reviewed, onReview, onReplace }: Props) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, TokenReplacement>>(new Map())
  if (classes.length === 0) return null
  const choose = (tokens: TokenReplacement[], isChosen: boolean) => {
    const next = new Map(chosen)
    for (const token of tokens) {
      if (isChosen) next.set(keyOf(token), token)
      else next.delete(keyOf(token))
    }
    setChosen(next)
  }
  return (
    <section aria-label="Open tokens" className={styles.open}>
      <h3>Open tokens</h3>
      <p className={styles.soft}>No rule classified these tokens. They may be names and were not replaced. Replace names, then {reviewed ? 'review each class before you create a link' : 'read the rest before you publish'}.</p>
      {classes.map(({ name, distinct, tokens }) => {
        const ofClass = tokens.map(({ text }) => ({ name, text }))
        const isAll = ofClass.every((token) => chosen.has(keyOf(token)))
        return (
          <fieldset key={name} className={styles.choice}>
            <legend>
              {openClassLabel(name)} ({distinct.toLocaleString('en')})
            </legend>
            {onReplace && tokens.length > 1 && (
              <label>
                <input type="checkbox" checked={isAll} onChange={(event) => choose(ofClass, event.target.checked)} /> Replace all {tokens.length.toLocaleString('en')} listed
              </label>
            )}
            <div tabIndex={0} role="region" aria-label={`Open tokens: ${openClassLabel(name)}`} className={styles.tokens}>
              <ul>
                {tokens.map((token) => (
                  <li key={token.text}>
                    {onReplace && (
                      <label>
                        <input
                          type="checkbox"
                          aria-label={`Replace ${token.text}`}
                          checked={chosen.has(keyOf({ name, text: token.text }))}
                          onChange={(event) => choose([{ name, text: token.text }], event.target.checked)}
                        />{' '}
                        Replace
                      </label>
                    )}
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
            {reviewed && (
              <label>
                <input type="checkbox" checked={reviewed.has(name)} onChange={(event) => onReview?.(name, event.target.checked)} /> I reviewed this class
              </label>
            )}
          </fieldset>
        )
      })}
      {onReplace && chosen.size > 0 && (
        <p className={styles.actions}>
          <Button look="primary" onClick={() => onReplace([...chosen.values()])}>
            Replace {chosen.size.toLocaleString('en')} {chosen.size === 1 ? 'token' : 'tokens'}
          </Button>
          <span className={styles.soft}>Redacts the {what} again.</span>
        </p>
      )}
    </section>
  )
}
