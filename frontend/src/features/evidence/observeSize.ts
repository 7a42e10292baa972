import { elementScroll, type Rect, type Virtualizer } from '@tanstack/react-virtual'

type Lines = Virtualizer<HTMLDivElement, Element>

/** Assumed until the first layout, so that the first render has lines. */
export const FIRST_RECT: Rect = { width: 800, height: 360 }

/** Boxes that the browser has laid out. */
const laidOut = new WeakSet<Element>()

/** Reports the size of the scrolled box after each layout. Asking for it earlier makes the browser lay out the whole page once more. */
export function observeSize(virtual: Lines, report: (rect: Rect) => void): (() => void) | undefined {
  const element = virtual.scrollElement
  if (!element) return undefined
  const observer = new ResizeObserver(([entry]) => {
    const [box] = entry?.borderBoxSize ?? []
    if (!box) return
    if (!laidOut.has(element)) {
      laidOut.add(element)
      element.scrollTop = virtual.scrollOffset ?? 0
    }
    report({ width: Math.round(box.inlineSize), height: Math.round(box.blockSize) })
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** Scrolls, for the same reason not before the first layout, after which `observeSize` does. */
export const scrollLaidOut: typeof elementScroll<HTMLDivElement> = (offset, options, virtual) => {
  if (virtual.scrollElement && laidOut.has(virtual.scrollElement)) elementScroll(offset, options, virtual)
}
