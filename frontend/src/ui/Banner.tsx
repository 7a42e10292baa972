import type { ReactNode } from 'react'
import styles from './Banner.module.css'

type Props = { tone: 'suspect' | 'calm'; testId: string; children: ReactNode }

/** One line below the header about the connection, announced when its text changes; without text it takes no room. */
export function Banner({ tone, testId, children }: Props) {
  return (
    <div role="status" aria-live="polite" className={styles.banner} data-tone={tone} data-testid={testId}>
      {children}
    </div>
  )
}
