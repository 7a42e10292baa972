import { Command } from '../../ui'
import styles from './settings.module.css'

type Props = { label: string; note?: string; secret: string }

/** A secret or single-use link that is shown only once, with a copy button. */
export function SecretReveal({ label, note, secret }: Props) {
  return (
    <div className={styles.secret} role="status">
      <strong>{label}</strong>
      <p>{note && `${note} `}Shown only once.</p>
      <Command text={secret} name={label} />
    </div>
  )
}
