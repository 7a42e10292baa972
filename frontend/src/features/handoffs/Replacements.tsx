import type { TokenReplacement } from '../../api'
import { Button } from '../../ui'
import styles from './handoffs.module.css'
import { openClassLabel } from './labels'

type Props = {
  replacements: readonly TokenReplacement[]
  /** Keeps all but `tokens` again; absent once a link exists. */
  onChange?: ((tokens: TokenReplacement[]) => void) | undefined
}

/** Open tokens that the sender chose to replace, each with its undo. */
export function Replacements({ replacements, onChange }: Props) {
  if (replacements.length === 0) return null
  return (
    <details className={styles.report}>
      <summary>
        {replacements.length.toLocaleString('en')} {replacements.length === 1 ? 'open token' : 'open tokens'} replaced on request
      </summary>
      {onChange && <Button onClick={() => onChange([])}>Keep all</Button>}
      <ul className={styles.list} aria-label="Replaced on request">
        {replacements.map((token) => (
          <li key={`${token.name}:${token.text}`}>
            <code>{token.text}</code> <span className={styles.soft}>{openClassLabel(token.name)}</span>{' '}
            {onChange && (
              <Button look="quiet" aria-label={`Keep ${token.text}`} onClick={() => onChange(replacements.filter((one) => one !== token))}>
                Keep
              </Button>
            )}
          </li>
        ))}
      </ul>
    </details>
  )
}
