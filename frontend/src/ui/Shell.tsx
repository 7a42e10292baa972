import { type ReactNode, useId, useRef, useState } from 'react'
import { Button } from './Button'
import { ColorSchemeButton } from './ColorSchemeButton'
import { useDismissal } from './dismissal'
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
          {nav && <Pages>{nav}</Pages>}
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

/** Links to the pages: a row, and on a phone a menu below a button. */
function Pages({ children }: { children: ReactNode }) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useDismissal(box, isOpen, () => setIsOpen(false))
  return (
    <div ref={box} className={styles.pages}>
      <Button className={styles.navButton} look="quiet" aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
        Pages <span aria-hidden="true">▾</span>
      </Button>
      <nav
        id={id}
        className={styles.nav}
        aria-label="Pages"
        data-open={isOpen || undefined}
        onClickCapture={(event) => {
          if (event.target instanceof HTMLAnchorElement) setIsOpen(false)
        }}
      >
        {children}
      </nav>
    </div>
  )
}
