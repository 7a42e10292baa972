import type { ReactNode } from 'react'
import { ColorSchemeButton } from './ColorSchemeButton'
import { KeyboardHelp } from './KeyboardHelp'
import styles from './Shell.module.css'

type Props = { home: ReactNode; children: ReactNode; account?: ReactNode }

/** The frame of every page: a thin bar, and the page. */
export function Shell({ home, account, children }: Props) {
  return (
    <div className={styles.shell}>
      <header className={styles.bar}>
        {home}
        <div className={styles.right}>
          <KeyboardHelp />
          <ColorSchemeButton />
          {account}
        </div>
      </header>
      <main className={styles.page}>{children}</main>
    </div>
  )
}
