import { useState } from 'react'
import styles from './controls.module.css'

type Props = { text: string | (() => string); label?: string; name?: string; isPrimary?: boolean }

/** Copy to the clipboard. Falls back to `execCommand` without a secure context, such as plain HTTP. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** Copies text to the clipboard and confirms it. `name` distinguishes buttons with the same label. */
export function CopyButton({ text, label = 'Copy', name, isPrimary = false }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  return (
    <button
      type="button"
      className={styles.button}
      data-primary={isPrimary || undefined}
      aria-label={name ? `${label}: ${name}` : undefined}
      onClick={() =>
        void copy(typeof text === 'string' ? text : text()).then(() => {
          setIsCopied(true)
          setTimeout(() => setIsCopied(false), 1600)
        })
      }
    >
      <span aria-live="polite">{isCopied ? 'Copied ✓' : label}</span>
    </button>
  )
}
