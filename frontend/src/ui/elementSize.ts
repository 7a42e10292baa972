import { type RefCallback, useCallback, useState } from 'react'

type Size = { width: number; height: number }

/** The size of the content box of an element in CSS pixels, 0 × 0 until it is measured. */
export function useElementSize(): Size & { ref: RefCallback<Element> } {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const ref = useCallback((element: Element | null) => {
    if (!element) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ...size, ref }
}
