import { passkeyObstacle } from '../../api'
import { Button, Notice } from '../../ui'
import styles from './session.module.css'

type Props = { label: string; isPrimary?: boolean; isPending: boolean; error: Error | null; onClick: () => void }

/** A button that asks for a passkey, with the reason where the page cannot. */
export function PasskeyButton({ label, isPrimary = false, isPending, error, onClick }: Props) {
  const obstacle = passkeyObstacle()
  return (
    <div className={styles.form}>
      <div className={styles.row}>
        <Button look={isPrimary ? 'primary' : 'plain'} disabled={isPending || obstacle !== ''} onClick={onClick}>
          {label}
        </Button>
      </div>
      {obstacle && <p className={styles.soft}>{obstacle}</p>}
      {error && <Notice what="The passkey was not accepted.">{error.message}</Notice>}
    </div>
  )
}
