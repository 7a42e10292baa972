import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import styles from './Toasts.module.css'

type Toast = { id: number; text: string; undo?: (() => void) | undefined; isError?: boolean }
type ShowToast = (text: string, options?: { undo?: () => void; isError?: boolean }) => void

const SHOWN_MS = 8_000
/** What can be undone, or has to be read, stays: a busy machine or a screen reader takes its time. */
const KEPT_MS = 30_000
const Context = createContext<ShowToast>(() => undefined)

/** Returns a function that shows a toast, optionally with an undo button. */
export function useToast(): ShowToast {
  return useContext(Context)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const dismiss = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const last = useRef(0)
  const show = useCallback<ShowToast>((text, options = {}) => {
    const id = ++last.current
    setToasts((all) => [...all.slice(-3), { id, text, ...options }])
  }, [])
  return (
    <Context value={show}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ShownToast key={toast.id} toast={toast} onDismiss={dismiss} />
        ))}
      </div>
    </Context>
  )
}

/** Goes after its time, which stands still while the pointer or the focus is on it. */
function ShownToast({ toast, onDismiss }: { toast: Toast; onDismiss: (id: number) => void }) {
  const [isHeld, setIsHeld] = useState(false)
  const { id, text, undo, isError } = toast
  const shownMs = undo || isError ? KEPT_MS : SHOWN_MS
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => onDismiss(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isHeld, onDismiss, shownMs])
  return (
    <div
      className={styles.toast}
      data-error={isError || undefined}
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <span>{text}</span>
      {undo && (
        <button
          type="button"
          className={styles.undo}
          onClick={() => {
            undo()
            onDismiss(id)
          }}
        >
          Undo
        </button>
      )}
      {shownMs === KEPT_MS && (
        <button type="button" className={styles.close} aria-label="Dismiss" onClick={() => onDismiss(id)}>
          ×
        </button>
      )}
    </div>
  )
}
