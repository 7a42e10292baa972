import { useState } from 'react'
import styles from './controls.module.css'

type Props = { text: string | (() => string); label?: string; name?: string }

/** Works without a secure context too: an instance is often reached by plain http on an inner network. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard && window.isSecureContext) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** Put text on the clipboard and say so. `name` tells buttons with the same label apart. */
export function CopyButton({ text, label = 'Copy', name }: Props) {
  const [isCopied, setIsCopied] = useState(false)
  return (
    <button
      type="button"
      className={styles.button}
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
