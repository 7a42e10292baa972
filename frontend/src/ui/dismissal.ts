import { type RefObject, useEffect, useRef } from 'react'

/** Closes an open box on Escape, which returns the focus to its first button, and on a press outside. */
export function useDismissal(box: RefObject<HTMLElement | null>, isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    if (!isOpen) return
    const closeOutside = (event: PointerEvent) => {
      if (!box.current?.contains(event.target as Node)) close.current()
    }
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      box.current?.querySelector('button')?.focus()
      close.current()
    }
    window.addEventListener('pointerdown', closeOutside, true)
    window.addEventListener('keydown', closeByKey, true)
    return () => {
      window.removeEventListener('pointerdown', closeOutside, true)
      window.removeEventListener('keydown', closeByKey, true)
    }
  }, [box, isOpen])
}
