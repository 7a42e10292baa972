import { CopyButton } from './CopyButton'
import styles from './Command.module.css'

type Props = { text: string; name?: string }

/** A command or value to copy. */
export function Command({ text, name }: Props) {
  return (
    <div className={styles.command}>
      <pre className={styles.text} tabIndex={0} role="group" aria-label={name ?? 'Command'}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} name={name ?? 'command'} />
    </div>
  )
}
