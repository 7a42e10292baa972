import type { ReactNode } from 'react'
import { Button } from './Button'
import styles from './Notice.module.css'

type Props = { what: string; children?: ReactNode; retry?: (() => void) | undefined; tone?: 'error' | 'plain' }

/** A message: `what` failed, the reason as children, and optionally a retry button. */
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
