import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './Button'
import styles from './Dialog.module.css'

type Props = { title: string; isWide?: boolean; testId?: string; onClose: () => void; children: ReactNode }

/** The first element to type into, else the primary button. */
const FIRST = 'input, select, textarea, [data-primary]'

/** A modal dialog, open while it is mounted. Escape, a click outside and its button close it. */
export function Dialog({ title, isWide = false, testId, onClose, children }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>(FIRST)?.focus()
  }, [])
  return createPortal(
    <dialog ref={dialog} className={styles.dialog} data-wide={isWide || undefined} aria-labelledby={id} data-testid={testId} closedby="any" onClose={onClose}>
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" aria-label="Close dialog" onClick={() => dialog.current?.close()}>
            Close
          </Button>
        </header>
        {children}
      </div>
    </dialog>,
    document.body,
  )
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>
}
