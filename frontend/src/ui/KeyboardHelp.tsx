import { lazy, Suspense, useState } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { importWithRetry } from './importing'
import styles from './KeyboardHelp.module.css'
import { useKeys } from './keys'

const KeyboardSheet = lazy(() => importWithRetry(() => import('./KeyboardSheet')))

/** Dialog with all keyboard shortcuts, opened with `?`. */
export function KeyboardHelp() {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  useKeys({ '?': open })
  return (
    <>
      <Button look="quiet" className={styles.button} onClick={open}>
        Keys <kbd>?</kbd>
      </Button>
      {isOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setIsOpen(false)}>
          <Suspense>
            <KeyboardSheet />
          </Suspense>
        </Dialog>
      )}
    </>
  )
}
