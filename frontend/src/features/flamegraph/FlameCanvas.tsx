import { useElementSize } from '@mantine/hooks'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Graph, NO_ROW, nodeOf, rowAt, type Step, step } from '../../profile'
import { coloursOf, draw, rowOfY, type Scene } from './draw'
import styles from './flamegraph.module.css'
import { FrameTooltip } from './FrameTooltip'
import { usePalette } from './usePalette'
import { useViewport } from './useViewport'

type Props = {
  graph: Graph
  isFlame: boolean
  rootLabel: string
  matched: Uint8Array | null
  matchedShare: number | null
  outlined: readonly number[]
  selected: number
  zoomRow: number
  onSelect: (row: number) => void
  onZoom: (row: number) => void
}

const arrows: Record<string, [whenFlame: Step, whenIcicle: Step]> = {
  ArrowUp: ['callee', 'caller'],
  ArrowDown: ['caller', 'callee'],
  ArrowLeft: ['previous', 'previous'],
  ArrowRight: ['next', 'next'],
}

/** The boxes themselves. All state of the picture stands in `data-` attributes too, for those who cannot see it. */
export function FlameCanvas({ graph, isFlame, rootLabel, matched, matchedShare, outlined, selected, zoomRow, onSelect, onZoom }: Props) {
  const { ref: sizeRef, width, height } = useElementSize<HTMLDivElement>()
  const element = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const [hover, setHover] = useState<{ row: number; x: number; y: number } | null>(null)
  const palette = usePalette()
  const colours = useMemo(() => coloursOf(graph, palette.isDark), [graph, palette.isDark])
  const { viewport, reveal, centre } = useViewport({ element, graph, zoomRow, width, height, isFlame })
  const scene: Scene = { graph, colours, palette, viewport, width, height, isFlame, matched, outlined, selected, hovered: hover?.row ?? NO_ROW, rootLabel }

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
  })
  useEffect(() => {
    const widest = outlined.reduce((best, row) => ((graph.width[row] ?? 0) > (graph.width[best] ?? -1) ? row : best), NO_ROW)
    if (widest !== NO_ROW && zoomRow === NO_ROW) centre(widest)
    // oxlint-disable-next-line react/exhaustive-deps -- only when other frames are outlined
  }, [outlined, graph, height])

  const rowUnder = (event: MouseEvent<HTMLElement>): number => {
    const bounds = event.currentTarget.getBoundingClientRect()
    const at = viewport.from + ((event.clientX - bounds.left) / width) * (viewport.to - viewport.from)
    const row = rowOfY(event.clientY - bounds.top, scene)
    return row === 0 ? NO_ROW : rowAt(graph, at, row - 1)
  }
  const select = (row: number) => {
    onSelect(row)
    if (row !== NO_ROW) reveal(row)
  }
  const press = (event: KeyboardEvent) => {
    const where = arrows[event.key]?.[isFlame ? 0 : 1]
    if (where) select(step(graph, selected, where))
    else if (event.key === 'Enter') onZoom(selected)
    else if (event.key === 'Backspace') onZoom(zoomRow === NO_ROW ? NO_ROW : (graph.parent[zoomRow] ?? NO_ROW))
    else return
    event.preventDefault()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role `application` is what takes its own keys
    <div
      ref={(node) => {
        element.current = node
        return sizeRef(node)
      }}
      className={styles.canvas}
      role="application"
      aria-roledescription="flame graph"
      aria-label={`${rootLabel}. Arrow keys walk the stacks, Enter zooms in, Backspace zooms out.`}
      tabIndex={0}
      data-testid="flame-graph"
      data-total-weight={graph.columns.total_weight}
      data-total-samples={graph.columns.total_samples}
      data-node-count={graph.size}
      data-outlined-nodes={outlined.map((row) => nodeOf(graph, row)).join(',')}
      data-selected-node={selected === NO_ROW ? '' : nodeOf(graph, selected)}
      data-zoom-node={zoomRow === NO_ROW ? '' : nodeOf(graph, zoomRow)}
      data-view-from={viewport.from}
      data-view-to={viewport.to}
      data-matched-share={matchedShare ?? ''}
      onKeyDown={press}
      onClick={(event) => select(rowUnder(event))}
      onDoubleClick={(event) => onZoom(rowUnder(event))}
      onMouseMove={(event) => setHover({ row: rowUnder(event), x: event.clientX, y: event.clientY })}
      onMouseLeave={() => setHover(null)}
    >
      <canvas ref={canvas} className={styles.pixels} aria-hidden="true" />
      {hover && hover.row !== NO_ROW && <FrameTooltip graph={graph} row={hover.row} x={hover.x} y={hover.y} />}
    </div>
  )
}
