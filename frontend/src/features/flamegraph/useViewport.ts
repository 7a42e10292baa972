import { easeCubicOut } from 'd3-ease'
import { interpolateNumber } from 'd3-interpolate'
import { scaleLinear } from 'd3-scale'
import { select } from 'd3-selection'
import { zoom, type ZoomBehavior, zoomIdentity, type ZoomTransform } from 'd3-zoom'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Graph, NO_ROW } from '../../profile'
import { ROW_HEIGHT, type Viewport } from './draw'

const ANIMATION_MS = 220
const MAX_SCALE = 1e6

type Options = { element: RefObject<HTMLElement | null>; graph: Graph | null; zoomRow: number; width: number; height: number; isFlame: boolean; /** The row that is to be seen where a zoom ends. */ focus: number }
export type ViewportControl = { viewport: Viewport; reveal: (row: number) => void; toEdge: (edge: 'outer' | 'inner') => void }

const maxScroll = (graph: Graph | null, height: number) => Math.max(0, ((graph?.maxDepth ?? 0) + 2) * ROW_HEIGHT - height)
const prefersReducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches

/**
 * The visible part of the graph: the wheel scrolls rows, Ctrl+wheel or a pinch zooms, dragging pans, and a change
 * of `zoomRow` is animated. d3-zoom has the horizontal state; the vertical scroll is separate, because the height of
 * a canvas is limited.
 */
export function useViewport({ element, graph, zoomRow, width, height, isFlame, focus }: Options): ViewportControl {
  const [viewport, setViewport] = useState<Viewport>({ from: 0, to: 1, scroll: 0 })
  const behaviour = useRef<ZoomBehavior<HTMLElement, unknown>>(null)
  const lastZoom = useRef<number | null>(null)
  const latest = useRef({ graph, width, height, isFlame })
  useEffect(() => {
    latest.current = { graph, width, height, isFlame }
  })

  useEffect(() => {
    const node = element.current
    if (!node) return
    const clampScroll = (value: number) => Math.max(0, Math.min(value, maxScroll(latest.current.graph, latest.current.height)))
    const zoomed = zoom<HTMLElement, unknown>()
      .scaleExtent([1, MAX_SCALE])
      .filter((event: MouseEvent) => (event.type === 'wheel' ? event.ctrlKey || event.metaKey : !event.button))
      .clickDistance(4)
      .extent(() => [[0, 0], [latest.current.width, latest.current.height]])
      .translateExtent([[0, -Infinity], [1, Infinity]])
      .on('zoom', ({ transform, sourceEvent }: { transform: ZoomTransform; sourceEvent: Event | null }) => {
        const [from, to] = sliceOf(transform, latest.current.width)
        const dragged = sourceEvent instanceof MouseEvent && sourceEvent.type === 'mousemove' ? sourceEvent.movementY : 0
        setViewport(({ scroll }) => ({ from, to, scroll: clampScroll(scroll + (latest.current.isFlame ? dragged : -dragged)) }))
      })
    behaviour.current = zoomed
    const selection = select(node).call(zoomed).on('dblclick.zoom', null)
    const wheel = (event: WheelEvent) => {
      if (event.ctrlKey || event.metaKey) return
      const delta = latest.current.isFlame ? -event.deltaY : event.deltaY
      setViewport((before) => {
        const scroll = clampScroll(before.scroll + delta)
        if (scroll !== before.scroll) event.preventDefault()
        return { ...before, scroll }
      })
      if (maxScroll(latest.current.graph, latest.current.height) > 0) event.preventDefault()
    }
    node.addEventListener('wheel', wheel, { passive: false })
    return () => {
      node.removeEventListener('wheel', wheel)
      selection.on('.zoom', null)
    }
  }, [element])

  useEffect(() => {
    behaviour.current?.translateExtent([[0, -Infinity], [width || 1, Infinity]])
  }, [width])

  useEffect(() => {
    const node = element.current
    if (!node || !graph || width === 0) return
    const isWhole = zoomRow === NO_ROW
    const isFirst = lastZoom.current === null
    const isUnchanged = isWhole && (isFirst || lastZoom.current === NO_ROW)
    lastZoom.current = zoomRow
    const from = isWhole ? 0 : (graph.start[zoomRow] ?? 0)
    const to = isWhole ? 1 : from + (graph.width[zoomRow] || 1)
    const depth = isWhole ? 0 : (graph.columns.depth[zoomRow] ?? 0)
    // Above a zoomed frame two callers stay in sight, unless the focus were beyond the other edge.
    const least = focus === NO_ROW || isWhole ? 0 : ((graph.columns.depth[focus] ?? 0) + 3) * ROW_HEIGHT - height
    const scroll = Math.max(0, Math.min(isWhole ? 0 : Math.max((depth - 2) * ROW_HEIGHT, least), maxScroll(graph, height)))
    const target = { from, to, scroll: isUnchanged ? null : scroll }
    return isUnchanged || isFirst ? jumpTo(node, behaviour.current, target, width, setViewport) : animateTo(node, behaviour.current, target, width, setViewport)
    // oxlint-disable-next-line react/exhaustive-deps -- a focus that changes within the same zoom is revealed by its owner
  }, [element, graph, zoomRow, width, height])

  const rows = height / ROW_HEIGHT
  const depthOf = (row: number) => (graph?.columns.depth[row] ?? 0) + 1
  const centred = (row: number) => Math.max(0, Math.min((depthOf(row) - rows * 0.6) * ROW_HEIGHT, maxScroll(graph, height)))
  const reveal = (row: number) =>
    setViewport((before) => {
      const first = before.scroll / ROW_HEIGHT
      const isShown = depthOf(row) >= first && depthOf(row) + 2 <= first + rows
      return isShown ? before : { ...before, scroll: centred(row) }
    })
  const toEdge = (edge: 'outer' | 'inner') => setViewport((before) => ({ ...before, scroll: edge === 'outer' ? 0 : maxScroll(graph, height) }))
  return { viewport, reveal, toEdge }
}

function sliceOf(transform: ZoomTransform, width: number): [number, number] {
  const [from, to] = transform.rescaleX(scaleLinear([0, width || 1]).domain([0, 1])).domain()
  return [Math.max(0, from ?? 0), Math.min(1, to ?? 1)]
}

/** A null `scroll` leaves the rows. */
type Target = { from: number; to: number; scroll: number | null }
type Move = (node: HTMLElement, behaviour: ZoomBehavior<HTMLElement, unknown> | null, target: Target, width: number, setViewport: (change: (before: Viewport) => Viewport) => void) => (() => void) | undefined

const jumpTo: Move = (node, behaviour, target, width, setViewport) => {
  const scale = Math.min(MAX_SCALE, 1 / (target.to - target.from))
  if (behaviour) select(node).call(behaviour.transform, zoomIdentity.translate(-target.from * scale * width, 0).scale(scale))
  setViewport((before) => ({ from: target.from, to: target.to, scroll: target.scroll ?? before.scroll }))
  return undefined
}

/** Animates to a slice, or jumps with reduced motion. Returns a function that cancels. */
const animateTo: Move = (node, behaviour, target, width, setViewport) => {
  const finish = () => jumpTo(node, behaviour, target, width, setViewport)
  if (prefersReducedMotion()) return finish()
  let request = 0
  let startTime = 0
  let start: Viewport | undefined
  const tick = (now: number) => {
    startTime ||= now
    const progress = Math.min(1, (now - startTime) / ANIMATION_MS)
    if (progress === 1) return finish()
    const eased = easeCubicOut(progress)
    setViewport((before) => {
      start ??= before
      const between = (key: 'from' | 'to') => interpolateNumber(start?.[key] ?? 0, target[key])(eased)
      const scroll = target.scroll === null ? before.scroll : interpolateNumber(start.scroll, target.scroll)(eased)
      return { from: between('from'), to: between('to'), scroll }
    })
    request = requestAnimationFrame(tick)
  }
  request = requestAnimationFrame(tick)
  return () => cancelAnimationFrame(request)
}
