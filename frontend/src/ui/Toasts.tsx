import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import styles from './Toasts.module.css'

type Options = {
  undo?: (() => void) | undefined
  /** Called once the toast has gone and `undo` can no longer be. */
  finish?: (() => void) | undefined
  isError?: boolean
}
type Toast = Options & { id: number; text: string }
type ShowToast = (text: string, options?: Options) => void

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
  const shown = useRef<readonly Toast[]>([])
  const undone = useRef(new Set<number>())
  useEffect(() => {
    const gone = shown.current.filter((toast) => !toasts.includes(toast))
    shown.current = toasts
    // Also those that newer ones replaced.
    for (const { id, finish } of gone) if (!undone.current.delete(id)) finish?.()
  }, [toasts])
  const undo = useCallback(
    (toast: Toast) => {
      undone.current.add(toast.id)
      toast.undo?.()
      dismiss(toast.id)
    },
    [dismiss],
  )
  const show = useCallback<ShowToast>((text, options = {}) => {
    const id = ++last.current
    setToasts((all) => [...all.slice(-3), { id, text, ...options }])
  }, [])
  return (
    <Context value={show}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <ShownToast key={toast.id} toast={toast} onDismiss={dismiss} onUndo={undo} />
        ))}
      </div>
    </Context>
  )
}

/** Goes after its time, which stands still while the pointer or the focus is on it. */
function ShownToast({ toast, onDismiss, onUndo }: { toast: Toast; onDismiss: (id: number) => void; onUndo: (toast: Toast) => void }) {
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
        <button type="button" className={styles.undo} onClick={() => onUndo(toast)}>
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
