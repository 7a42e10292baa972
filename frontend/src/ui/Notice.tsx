import type { ReactNode } from 'react'
import { Button } from './Button'
import styles from './Notice.module.css'

type Props = { what: string; children?: ReactNode; retry?: (() => void) | undefined; tone?: 'error' | 'plain' }

/** Something did not work: what, why, what still works, and the way on. */
export function Notice({ what, children, retry, tone = 'error' }: Props) {
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'error' ? 'alert' : undefined}>
      <div>
        <strong>{what}</strong>
        {children && <div className={styles.why}>{children}</div>}
      </div>
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}
