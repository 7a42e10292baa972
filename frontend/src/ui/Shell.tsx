import type { ReactNode } from 'react'
import { ColorSchemeButton } from './ColorSchemeButton'
import { KeyboardHelp } from './KeyboardHelp'
import { OfflineBanner } from './OfflineBanner'
import styles from './Shell.module.css'

type Props = { home: ReactNode; children: ReactNode; nav?: ReactNode; search?: ReactNode; account?: ReactNode }

/** Page layout: header bar and main content. */
export function Shell({ home, nav, search, account, children }: Props) {
  return (
    <div className={styles.shell}>
      <header className={styles.bar}>
        <div className={styles.left}>
          {home}
          {nav && (
            <nav className={styles.nav} aria-label="Pages">
              {nav}
            </nav>
          )}
        </div>
        <div className={styles.right}>
          {search}
          <KeyboardHelp />
          <ColorSchemeButton />
          {account}
        </div>
      </header>
      <OfflineBanner />
      <main className={styles.page}>{children}</main>
    </div>
  )
}
