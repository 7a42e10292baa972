import { scaleLinear } from 'd3-scale'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type HeatNode, type Selection, useHeatmap } from '../../api'
import { type Cell, cellAt, cellLevel, cellOf, countBetween, format, type Heat, heatColours, offsetCell, rangeBetween, shareBetween } from '../../profile'
import { useElementSize } from '../../ui'
import styles from './heat.module.css'
import { withoutRange } from './selection'
import { TimeAxis } from './TimeAxis'
import { usePalette } from './usePalette'

/** Rows of one second. */
export const HEAT_ROWS = 25
const steps: Record<string, (heat: Heat) => number> = { ArrowUp: () => 1, ArrowDown: () => -1, ArrowRight: ({ rows }) => rows, ArrowLeft: ({ rows }) => -rows }
type Range = { from: Cell; to: Cell }
/** A row of the graph, and its name. */
export type HeatRow = HeatNode & { name: string }
/** `isOverLanes` aligns the map with the lanes below it. */
type Props = { profileId: string; selection: Selection; row: HeatRow | null; isOverLanes?: boolean; onSelect: (range: { t0: number; t1: number } | null) => void }

/** A heat map of a row's share of the samples over time, or of samples without a row; brushing it selects a time range for all views. */
export function HeatStrip({ profileId, selection, row, isOverLanes = false, onSelect }: Props) {
  // The map always covers the whole recording; the other filters apply.
  const others = useMemo(() => withoutRange(selection), [selection])
  const response = useHeatmap(profileId, HEAT_ROWS, others, true, row)
  const heat = response.data
  if (response.error) return <p className={styles.none}>The heat map could not be loaded: {response.error.message}</p>
  if (!heat) return <div className={styles.waiting} role="status" aria-label="Loading the heat map" />
  return (
    <div className={styles.labelled} data-over-lanes={isOverLanes || undefined}>
      <div className={styles.label}>
        <strong title={row?.name}>{row && heat.part ? row.name : 'Samples'}</strong>
        <span className={styles.scale}>
          0 <span className={styles.ramp} aria-hidden="true" /> {row && heat.part ? '100 %' : format.count(heat.max)}
        </span>
        <span>per {format.weight(heat.row_seconds * 1e9, 'ns')}</span>
      </div>
      <HeatMap heat={heat} selection={selection} onSelect={onSelect} />
    </div>
  )
}

export function HeatMap({ heat, selection, onSelect }: { heat: Heat; selection: Selection; onSelect: Props['onSelect'] }) {
  const { ref: sizeRef, width, height } = useElementSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = usePalette()
  const [drawn, setDrawn] = useState<{ selectedRange: string; range: Range } | null>(null)
  const [hover, setHover] = useState<Cell | null>(null)
  const { t0, t1 } = selection
  // A drawn brush is valid until the selected range changes.
  const selectedRange = `${t0} ${t1}`
  const brush = drawn?.selectedRange === selectedRange ? drawn.range : null
  const setBrush = (range: Range | null) => setDrawn(range && { selectedRange, range })
  const selected = useMemo<Range | null>(
    () => (t0 === undefined || t1 === undefined ? null : { from: cellOf(heat, t0), to: cellOf(heat, Math.max(t0, t1 - heat.row_seconds)) }),
    [heat, t0, t1],
  )
  const shown = brush ?? selected
  const scale = scaleLinear([0, heat.columns * heat.column_seconds], [0, width])

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context || width === 0 || height === 0) return
    const ratio = window.devicePixelRatio || 1
    canvas.current.width = Math.round(width * ratio)
    canvas.current.height = Math.round(height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawHeat(context, heat, { width, height, isDark: palette.isDark })
    if (shown) drawRange(context, heat, shown, { width, height, colour: palette.outline })
  }, [heat, width, height, palette, shown])

  const cellUnder = (event: PointerEvent<HTMLElement>) => {
    const bounds = event.currentTarget.getBoundingClientRect()
    return cellAt(heat, (event.clientX - bounds.left) / bounds.width, (event.clientY - bounds.top) / bounds.height)
  }
  const select = ({ from, to }: Range) => onSelect(rangeBetween(heat, from, to))
  const onKey = (event: KeyboardEvent) => {
    const by = steps[event.key]?.(heat)
    if (by !== undefined) {
      const to = offsetCell(heat, shown?.to ?? { column: 0, row: 0 }, shown ? by : 0)
      setBrush({ from: event.shiftKey && shown ? shown.from : to, to })
    } else if (event.key === 'Enter' && shown) select(shown)
    else if (event.key === 'Escape' || event.key === 'Backspace') {
      setBrush(null)
      onSelect(null)
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  const described = shown ?? (hover && { from: hover, to: hover })
  return (
    <div className={styles.strip}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role `application` handles its own keys */}
      <div
        ref={sizeRef}
        className={styles.map}
        role="application"
        aria-roledescription="heat map"
        aria-label={`${heat.part ? 'Share of the selected frame' : 'Samples'} over ${format.weight(heat.duration_s * 1e9, 'ns')}, one column per ${heat.column_seconds === 1 ? 'second' : `${heat.column_seconds} seconds`}. Arrows move, Shift with arrows extends, Enter selects the range, Escape clears it.`}
        tabIndex={0}
        data-testid="heat-map"
        data-columns={heat.columns}
        data-samples={heat.max}
        data-has-shares={heat.part ? true : undefined}
        onKeyDown={onKey}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setBrush({ from: cellUnder(event), to: cellUnder(event) })
        }}
        onPointerMove={(event) => {
          const cell = cellUnder(event)
          setHover(cell)
          if (brush && event.currentTarget.hasPointerCapture(event.pointerId)) setBrush({ ...brush, to: cell })
        }}
        onPointerUp={() => brush && select(brush)}
        onPointerLeave={() => setHover(null)}
        onDoubleClick={() => onSelect(null)}
      >
        <canvas ref={canvas} className={styles.pixels} aria-hidden="true" />
      </div>
      <TimeAxis ticks={scale.ticks(Math.max(2, Math.floor(width / 90))).map((tick) => ({ label: `${tick} s`, at: scale(tick) / width }))} />
      <span className={styles.readout} role="status">
        {described && describe(heat, described)}
      </span>
    </div>
  )
}

function describe(heat: Heat, { from, to }: Range): string {
  const { t0, t1 } = rangeBetween(heat, from, to)
  const count = countBetween(heat, from, to)
  const share = shareBetween(heat, from, to)
  return `${t0.toFixed(2)}–${t1.toFixed(2)} s · ${share === null ? '' : `${format.share(share)} of `}${format.count(count)} ${count === 1 ? 'sample' : 'samples'}`
}

type Size = { width: number; height: number }

function drawHeat(context: CanvasRenderingContext2D, heat: Heat, { width, height, isDark }: Size & { isDark: boolean }): void {
  const colours = heatColours(isDark)
  const [cellWidth, cellHeight] = [width / heat.columns, height / heat.rows]
  const gap = cellWidth > 6 ? 1 : 0
  for (let column = 0; column < heat.columns; column++) {
    for (let row = 0; row < heat.rows; row++) {
      context.fillStyle = colours[cellLevel(heat, column * heat.rows + row)] as string
      context.fillRect(column * cellWidth, height - (row + 1) * cellHeight, Math.max(cellWidth - gap, 0.7), cellHeight + 0.3)
    }
  }
}

/** Draws a time range: part of its first column, whole columns, part of its last column. */
function drawRange(context: CanvasRenderingContext2D, heat: Heat, range: Range, { width, height, colour }: Size & { colour: string }): void {
  const isReversed = range.from.column * heat.rows + range.from.row > range.to.column * heat.rows + range.to.row
  const [first, last] = isReversed ? [range.to, range.from] : [range.from, range.to]
  const [cellWidth, cellHeight] = [width / heat.columns, height / heat.rows]
  context.strokeStyle = colour
  context.lineWidth = 2
  context.globalAlpha = 0.16
  context.fillStyle = colour
  const parts: [number, number, number][] = []
  for (let column = first.column; column <= last.column; column++) {
    const low = column === first.column ? first.row : 0
    const high = column === last.column ? last.row + 1 : heat.rows
    parts.push([column * cellWidth, height - high * cellHeight, (high - low) * cellHeight])
  }
  for (const [x, y, partHeight] of parts) context.fillRect(x, y, cellWidth, partHeight)
  context.globalAlpha = 1
  if (first.column === last.column) context.strokeRect(first.column * cellWidth + 1, (parts[0]?.[1] ?? 0) + 1, Math.max(cellWidth - 2, 1), Math.max((parts[0]?.[2] ?? 0) - 2, 1))
  else context.strokeRect(first.column * cellWidth + 1, 1, (last.column - first.column + 1) * cellWidth - 2, height - 2)
}
