import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Graph, NO_ROW, nodeOf, rowAt, type Step, step } from '../../profile'
import { useElementSize } from '../../ui'
import { draw, ROW_HEIGHT, rowOfY, type Scene, topOf } from './draw'
import { RowHint } from './RowHint'
import styles from './flamegraph.module.css'
import { FrameTooltip } from './FrameTooltip'
import type { Paint } from './paint'
import { TimeAxis } from './TimeAxis'
import { usePalette } from './usePalette'
import { useViewport } from './useViewport'

type Props = {
  graph: Graph
  paint: Paint
  isFlame: boolean
  rootLabel: string
  matchedShare?: number | null
  outlined?: readonly number[]
  selected: number
  zoomRow: number
  testId?: string
  labelOf?: ((row: number) => string) | undefined
  /** Tooltip lines of a row, instead of its weights. */
  tooltipOf?: ((row: number) => readonly string[]) | undefined
  /** Labels of the horizontal axis at a share of the width, 0 to 1. */
  axisOf?: (share: number) => string
  onSelect: (row: number) => void
  onZoom: (row: number) => void
  onMenu?: (row: number, at: { x: number; y: number }) => void
}

const NO_ROWS: readonly number[] = []
const AXIS_TICKS = [0, 0.2, 0.4, 0.6, 0.8]
const arrows: Record<string, [whenFlame: Step, whenIcicle: Step]> = {
  ArrowUp: ['callee', 'caller'],
  ArrowDown: ['caller', 'callee'],
  ArrowLeft: ['previous', 'previous'],
  ArrowRight: ['next', 'next'],
}

/** A flame graph on a canvas, with keyboard navigation; its state is also in `data-` attributes. */
export function FlameCanvas({ graph, paint, isFlame, rootLabel, matchedShare = null, outlined = NO_ROWS, selected, zoomRow, testId = 'flame-graph', labelOf, tooltipOf, axisOf, onSelect, onZoom, onMenu }: Props) {
  const { ref: sizeRef, width, height } = useElementSize()
  const element = useRef<HTMLDivElement>(null)
  const ref = useCallback(
    (node: HTMLDivElement | null) => {
      element.current = node
      return sizeRef(node)
    },
    [sizeRef],
  )
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hover, setHover] = useState<{ row: number; x: number; y: number } | null>(null)
  const palette = usePalette()
  const isPointer = useRef(false)
  const { viewport, reveal, toEdge } = useViewport({ element, graph, zoomRow, width, height, isFlame, focus: widestOf(graph, outlined) })
  const hovered = hover?.row ?? NO_ROW
  const scene = useMemo<Scene>(
    () => ({ graph, paint, palette, viewport, width, height, isFlame, outlined, selected, hovered, rootLabel, labelOf }),
    [graph, paint, palette, viewport, width, height, isFlame, outlined, selected, hovered, rootLabel, labelOf],
  )

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context || width === 0 || height === 0) return
    const ratio = window.devicePixelRatio || 1
    const [deviceWidth, deviceHeight] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.current.width !== deviceWidth || canvas.current.height !== deviceHeight) {
      canvas.current.width = deviceWidth
      canvas.current.height = deviceHeight
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    draw(context, scene)
  }, [scene, width, height])
  useEffect(() => {
    // Nothing moves under a pointer: a clicked frame is visible already.
    if (selected !== NO_ROW && !isPointer.current) reveal(selected)
    isPointer.current = false
    // oxlint-disable-next-line react/exhaustive-deps -- only when the selection changes
  }, [selected, graph])

  const rowUnder = (event: MouseEvent<HTMLElement>): number => {
    const bounds = event.currentTarget.getBoundingClientRect()
    const at = viewport.from + ((event.clientX - bounds.left) / width) * (viewport.to - viewport.from)
    const row = rowOfY(event.clientY - bounds.top, scene)
    return row === 0 ? NO_ROW : rowAt(graph, at, row - 1)
  }
  const menuOfSelected = () => {
    const bounds = element.current?.getBoundingClientRect()
    if (!bounds || selected === NO_ROW) return
    const left = (((graph.start[selected] ?? 0) - viewport.from) / (viewport.to - viewport.from)) * width
    const top = topOf((graph.columns.depth[selected] ?? 0) - (graph.columns.depth[0] ?? 0) + 1, scene)
    onMenu?.(selected, { x: bounds.left + Math.max(0, left), y: bounds.top + top + ROW_HEIGHT })
  }
  const onKey = (event: KeyboardEvent) => {
    const direction = arrows[event.key]?.[isFlame ? 0 : 1]
    if (direction && !event.altKey && !event.ctrlKey && !event.metaKey) onSelect(selected === NO_ROW && zoomRow !== NO_ROW ? zoomRow : step(graph, selected, direction))
    else if (event.key === 'Enter') onZoom(selected)
    else if (event.key === 'Backspace') onZoom(zoomRow === NO_ROW ? NO_ROW : (graph.parent[zoomRow] ?? NO_ROW))
    else if (event.key === 'Home' || event.key === 'End') toEdge(event.key === 'Home' ? 'outer' : 'inner')
    else if (event.key === 'Escape' && selected !== NO_ROW) onSelect(NO_ROW)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) menuOfSelected()
    else return
    event.preventDefault()
  }
  const canvasBox = (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role `application` handles its own keys
    <div
      ref={ref}
      className={styles.canvas}
      role="application"
      aria-roledescription="flame graph"
      aria-label={`${rootLabel}. Arrow keys move between frames, Enter zooms in, Backspace zooms out, Home and End show the outermost and innermost frames, Shift F10 opens the menu of a frame.`}
      tabIndex={0}
      data-testid={testId}
      data-total-weight={graph.columns.total_weight}
      data-total-samples={graph.columns.total_samples}
      data-node-count={graph.size}
      data-outlined-nodes={[...new Set(outlined.map((row) => nodeOf(graph, row)))].join(',')}
      data-selected-node={selected === NO_ROW ? '' : nodeOf(graph, selected)}
      data-zoom-node={zoomRow === NO_ROW ? '' : nodeOf(graph, zoomRow)}
      data-view-from={viewport.from}
      data-view-to={viewport.to}
      data-matched-share={matchedShare ?? ''}
      onKeyDown={onKey}
      onClick={(event) => {
        isPointer.current = true
        onSelect(rowUnder(event))
      }}
      onDoubleClick={(event) => onZoom(rowUnder(event))}
      onContextMenu={(event) => {
        const row = rowUnder(event)
        event.preventDefault()
        setHover(null)
        if (row === NO_ROW || !onMenu) return
        isPointer.current = true
        onSelect(row)
        onMenu(row, { x: event.clientX, y: event.clientY })
      }}
      onMouseMove={(event) => setHover({ row: rowUnder(event), x: event.clientX, y: event.clientY })}
      onMouseLeave={() => setHover(null)}
    >
      <canvas ref={canvas} className={styles.pixels} aria-hidden="true" />
      <RowHint rows={graph.maxDepth + 2} height={height} scroll={viewport.scroll} isFlame={isFlame} onEdge={toEdge} />
      {hover && hover.row !== NO_ROW && <FrameTooltip graph={graph} row={hover.row} x={hover.x} y={hover.y} lines={tooltipOf?.(hover.row)} />}
    </div>
  )
  if (!axisOf) return canvasBox
  return (
    <>
      {canvasBox}
      <TimeAxis ticks={AXIS_TICKS.map((tick) => ({ label: axisOf(viewport.from + tick * (viewport.to - viewport.from)), at: tick }))} />
    </>
  )
}

function widestOf(graph: Graph, rows: readonly number[]): number {
  return rows.reduce((best, row) => ((graph.width[row] ?? 0) > (graph.width[best] ?? -1) ? row : best), NO_ROW)
}
