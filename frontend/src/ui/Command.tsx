import { CopyButton } from './CopyButton'
import styles from './Command.module.css'
import { commandParts } from './commandWords'

type Props = { text: string; name?: string; isFirst?: boolean | undefined }

/** A command or value to copy; `isFirst` marks the one to run first. */
export function Command({ text, name, isFirst = false }: Props) {
  return (
    <div className={styles.command} data-first={isFirst || undefined}>
      <pre className={styles.text} tabIndex={0} role="group" aria-label={name ?? 'Command'}>
        <code>
          {commandParts(text).map((part, at) =>
            part.isUnbroken ? (
              <span key={at} className={styles.word}>
                {part.text}
              </span>
            ) : (
              part.text
            ),
          )}
        </code>
      </pre>
      <CopyButton text={text} name={name ?? 'command'} isPrimary={isFirst} />
    </div>
  )
}
