import { Command } from '../../ui'
import styles from './settings.module.css'

/** A secret that is shown this one time. */
export function Once({ what, text }: { what: string; text: string }) {
  return (
    <div className={styles.once} role="status">
      <strong>{what} It is shown this once.</strong>
      <Command text={text} name={what} />
    </div>
  )
}
