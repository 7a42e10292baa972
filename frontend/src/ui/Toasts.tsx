import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react'
import styles from './Toasts.module.css'

type Toast = { id: number; text: string; undo?: (() => void) | undefined; isError?: boolean }
type ShowToast = (text: string, options?: { undo?: () => void; isError?: boolean }) => void

const SHOWN_MS = 8_000
const Context = createContext<ShowToast>(() => undefined)

/** Returns a function that shows a toast, optionally with an undo button. */
export function useToast(): ShowToast {
  return useContext(Context)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<Toast[]>([])
  const dismiss = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const last = useRef(0)
  const show = useCallback<ShowToast>(
    (text, options = {}) => {
      const id = ++last.current
      setToasts((all) => [...all.slice(-3), { id, text, ...options }])
      setTimeout(() => dismiss(id), SHOWN_MS)
    },
    [dismiss],
  )
  return (
    <Context value={show}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite">
        {toasts.map((toast) => (
          <div key={toast.id} className={styles.toast} data-error={toast.isError || undefined}>
            <span>{toast.text}</span>
            {toast.undo && (
              <button
                type="button"
                className={styles.undo}
                onClick={() => {
                  toast.undo?.()
                  dismiss(toast.id)
                }}
              >
                Undo
              </button>
            )}
          </div>
        ))}
      </div>
    </Context>
  )
}
