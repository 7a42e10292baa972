import { select } from 'd3-selection'
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom'
import { type RefObject, useEffect, useRef, useState } from 'react'

const MIN_SCALE = 0.05
const MAX_SCALE = 2
/** Text below this scale is too small to read; a larger graph starts at its left end, with the root blocker. */
const READABLE_SCALE = 0.7

export type PanZoom = { transform: string; fit: () => void; reveal: (x: number, y: number) => void }

/** Pan by dragging, zoom by Ctrl+wheel or a pinch; the picture starts fitted, but readable. */
export function usePanZoom(element: RefObject<SVGSVGElement | null>, width: number, height: number): PanZoom {
  const [transform, setTransform] = useState<ZoomTransform>(zoomIdentity)
  const behaviour = useRef<ZoomBehavior<SVGSVGElement, unknown>>(null)
  const fit = () => {
    const node = element.current
    if (node && behaviour.current) fitInto(node, behaviour.current, { width, height, minScale: MIN_SCALE })
  }

  useEffect(() => {
    const node = element.current
    if (!node) return
    const zoomed = zoom<SVGSVGElement, unknown>()
      .scaleExtent([MIN_SCALE, MAX_SCALE])
      .filter((event: MouseEvent) => (event.type === 'wheel' ? event.ctrlKey || event.metaKey : !event.button))
      .clickDistance(4)
      .on('zoom', ({ transform: next }: { transform: ZoomTransform }) => setTransform(next))
    behaviour.current = zoomed
    const selection = select(node).call(zoomed).on('dblclick.zoom', null)
    fitInto(node, zoomed, { width, height, minScale: READABLE_SCALE })
    return () => {
      selection.on('.zoom', null)
    }
  }, [element, width, height])

  const reveal = (x: number, y: number) => {
    const node = element.current
    if (!node || !behaviour.current) return
    const [left, top] = transform.apply([x, y])
    const isShown = left >= 0 && top >= 0 && left <= node.clientWidth && top <= node.clientHeight
    if (!isShown) select(node).call(behaviour.current.translateTo, x, y)
  }
  return { transform: String(transform), fit, reveal }
}

function fitInto(node: SVGSVGElement, behaviour: ZoomBehavior<SVGSVGElement, unknown>, { width, height, minScale }: { width: number; height: number; minScale: number }): void {
  const scale = Math.max(minScale, Math.min(1, node.clientWidth / width, node.clientHeight / height))
  select(node).call(behaviour.transform, zoomIdentity.translate(Math.max(0, (node.clientWidth - width * scale) / 2), 0).scale(scale))
}
