import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './Button'
import styles from './Dialog.module.css'

type Props = { title: string; isWide?: boolean; testId?: string; onClose: () => void; children: ReactNode }

/** The first element to type into, else the primary button. */
const FIRST = 'input, select, textarea, [data-primary]'

/** A modal dialog, open while it is mounted. Escape, a click outside and its button ask its owner to unmount it. */
export function Dialog({ title, isWide = false, testId, onClose, children }: Props) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>(FIRST)?.focus()
    // Whoever unmounts it: closed before it is removed, it returns the focus to what had it.
    return () => element?.close()
  }, [])
  // Before the browser closes it by itself, whose event comes a task later: a key pressed in between was lost.
  const cancel = (event: SyntheticEvent) => {
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    onClose()
  }
  return createPortal(
    <dialog ref={dialog} className={styles.dialog} data-wide={isWide || undefined} aria-labelledby={id} data-testid={testId} closedby="any" onCancel={cancel} onClose={onClose}>
      <div className={styles.inside}>
        <header className={styles.head}>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" aria-label="Close dialog" onClick={onClose}>
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
