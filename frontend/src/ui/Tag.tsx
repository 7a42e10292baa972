import type { ReactNode } from 'react'
import styles from './Tag.module.css'

export type Tone = 'match' | 'suspect' | 'calm' | 'plain'

export function Tag({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  )
}
