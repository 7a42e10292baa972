import { useEffect, useRef } from 'react'

type Keys = Record<string, (event: KeyboardEvent) => void>

/** Whether the element takes text input. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

/** Whether a dialog is open, which then keeps the keyboard. */
export const hasOpenDialog = (): boolean => document.querySelector('dialog[open]') !== null

/** Single-key shortcuts for the page; inactive in text inputs, below an open dialog, and with Ctrl, Alt or Meta. */
export function useKeys(keys: Keys): void {
  const current = useRef(keys)
  useEffect(() => {
    current.current = keys
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target)) return
      const action = current.current[event.key]
      if (!action || hasOpenDialog()) return
      event.preventDefault()
      action(event)
    }
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
