import { scaleLinear } from 'd3-scale'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Lanes, type Profile, useHeatmap, useLanes } from '../../api'
import { expressionOf, format, type LaneStep, NO_SPAN, spanAt, spanKey, spanOfKey, stepSpan } from '../../profile'
import { Button, Notice, Segments, useElementSize } from '../../ui'
import { drawLanes, LANE_HEIGHT, spanNames } from './drawLanes'
import { HEAT_ROWS } from './HeatStrip'
import { LaneLegend } from './LaneLegend'
import styles from './lanes.module.css'
import { hasRange, withoutRange } from './selection'
import { TimeAxis } from './TimeAxis'
import type { GraphState, LaneKey, SpanKey } from './types'
import { usePalette } from './usePalette'

const REQUESTED_WIDTH = 2000
const REACH_PX = 3
const arrows: Record<string, LaneStep> = { ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'above', ArrowDown: 'below' }
type Props = { profile: Profile; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** Threads over time, one lane per CPU or thread; brushing selects a time range for all views. */
export function LanesView({ profile, state, onChange }: Props) {
  const response = useLanes(profile.id, { by: state.lanes, spans: state.spans, width: REQUESTED_WIDTH }, state.selection)
  const lanes = response.data
  // The whole recording has the axis of the heat map above it: whole columns.
  const others = useMemo(() => withoutRange(state.selection), [state.selection])
  const heat = useHeatmap(profile.id, HEAT_ROWS, others, profile.has_time).data
  const end = lanes && (heat && !hasRange(state.selection) ? Math.max(lanes.to, heat.columns * heat.column_seconds) : lanes.to)
  if (response.error) {
    return (
      <Notice what="The lanes could not be loaded." retry={() => void response.refetch()}>
        {response.error.message}
      </Notice>
    )
  }
  if (!lanes) return <div className={styles.waiting} role="status" aria-label="Loading the lanes" />
  const choices: { value: LaneKey; label: string }[] = [
    ...(profile.has_cpu ? [{ value: 'cpu' as const, label: 'CPUs' }] : []),
    { value: 'thread', label: 'Threads' },
    { value: 'all', label: 'One lane' },
  ]
  const runs: { value: SpanKey; label: string; hint: string }[] = [
    { value: 'thread', label: 'By thread', hint: 'One box per run of samples of one thread' },
    { value: 'leaf', label: 'By function', hint: 'One box per run of samples with the same innermost function' },
    { value: 'stack', label: 'By stack', hint: 'One box per run of samples with the same stack' },
  ]
  return (
    <div className={styles.box}>
      <div className={styles.bar}>
        <Segments label="Lanes" value={lanes.by as LaneKey} options={choices} onChange={(by) => onChange({ lanes: by })} />
        <Segments label="Boxes" value={state.spans} options={runs} onChange={(spans) => onChange({ spans })} />
        <span className={styles.soft}>
          {lanes.axis === 'samples' ? 'Axis: sample index, because the recording has no timestamps.' : `${span(lanes, lanes.to - lanes.from)} shown`}
          {lanes.bin !== null && ` · aggregated: each box is the thread with most samples in ${span(lanes, lanes.bin)}`}
          {lanes.left_out_lanes > 0 && ` · ${lanes.left_out_lanes} lanes with fewer samples hidden`}
        </span>
      </div>
      <LaneLegend lanes={lanes} />
      <LaneMap lanes={lanes} end={end ?? lanes.to} state={state} onChange={onChange} />
    </div>
  )
}

/** A length on the axis, with its unit. */
function span(lanes: Lanes, value: number): string {
  return lanes.axis === 'samples' ? `${format.count(value)} ${value === 1 ? 'sample' : 'samples'}` : format.weight(value * 1e9, 'ns')
}

function LaneMap({ lanes, end, state, onChange }: { lanes: Lanes; end: number; state: GraphState; onChange: Props['onChange'] }) {
  const { ref: sizeRef, width } = useElementSize()
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = usePalette()
  const [hovered, setHovered] = useState(NO_SPAN)
  const [brush, setBrush] = useState<[number, number] | null>(null)
  const x = useMemo(() => scaleLinear([lanes.from, end], [0, width]), [lanes.from, end, width])
  const matched = useMemo(() => {
    if (!state.q) return null
    try {
      const expression = expressionOf(state.q)
      return new Set(lanes.names.flatMap((name, at) => (expression.test(name) ? [at] : [])))
    } catch {
      return null
    }
  }, [lanes.names, state.q])
  const height = lanes.lanes.length * LANE_HEIGHT
  const selected = spanOfKey(lanes, state.span)
  const setSelected = (at: number) => onChange({ span: spanKey(lanes, at) })

  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (!canvas.current || !context || width === 0 || height === 0) return
    const ratio = window.devicePixelRatio || 1
    canvas.current.width = Math.round(width * ratio)
    canvas.current.height = Math.round(height * ratio)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    drawLanes(context, { lanes, x, width, palette, selected, hovered, matched })
  }, [lanes, x, width, height, palette, selected, hovered, matched])

  const spanUnder = (event: PointerEvent<HTMLElement>) => {
    const lane = Math.floor((event.clientY - event.currentTarget.getBoundingClientRect().top) / LANE_HEIGHT)
    return spanAt(lanes, lane, x.invert(offsetX(event)), x.invert(REACH_PX) - x.invert(0))
  }
  const selectRange = (from: number, to: number) => {
    const { t0: _t0, t1: _t1, from_sample: _s0, to_sample: _s1, ...rest } = state.selection
    const range = lanes.axis === 'samples' ? { from_sample: Math.max(0, Math.floor(from)), to_sample: Math.ceil(to) } : { t0: Math.max(0, Number(from.toFixed(6))), t1: Number(to.toFixed(6)) }
    onChange({ selection: { ...rest, ...range }, zoom: null, node: null })
  }
  const selectSpan = (at: number) => selectRange(lanes.start[at] ?? 0, (lanes.start[at] ?? 0) + (lanes.duration[at] ?? 0))
  const onKey = (event: KeyboardEvent) => {
    const direction = arrows[event.key]
    if (direction) setSelected(stepSpan(lanes, selected, direction))
    else if (event.key === 'Enter' && selected !== NO_SPAN) selectSpan(selected)
    else if (event.key === 'Escape') setSelected(NO_SPAN)
    else return
    event.preventDefault()
  }
  const described = selected !== NO_SPAN ? selected : hovered
  return (
    <>
      <div className={styles.scroll}>
        <ul className={styles.labels} aria-hidden="true">
          {lanes.lanes.map((lane) => (
            <li key={lane.label} style={{ height: LANE_HEIGHT }} title={`${lane.label}: ${format.count(lane.samples)} samples`}>
              <strong>{lane.label}</strong>
              <span>{format.count(lane.samples)}</span>
            </li>
          ))}
        </ul>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role `application` handles its own keys */}
        <div
          ref={sizeRef}
          className={styles.map}
          style={{ height }}
          role="application"
          aria-roledescription="lanes"
          aria-label={`${lanes.lanes.length} lanes of threads over time. Arrows move between boxes, Enter selects the time range of a box.`}
          tabIndex={0}
          data-testid="lanes"
          data-spans={lanes.start.length}
          data-lanes={lanes.lanes.map(({ label }) => label).join('|')}
          onKeyDown={onKey}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setBrush([offsetX(event), offsetX(event)])
          }}
          onPointerMove={(event) => {
            setHovered(spanUnder(event))
            if (event.currentTarget.hasPointerCapture(event.pointerId)) setBrush((before) => before && [before[0], offsetX(event)])
          }}
          onPointerUp={(event) => {
            const [from, to] = brush ?? [0, 0]
            setBrush(null)
            if (Math.abs(to - from) > 4) selectRange(x.invert(Math.min(from, to)), x.invert(Math.max(from, to)))
            else setSelected(spanUnder(event))
          }}
          onPointerLeave={() => setHovered(NO_SPAN)}
          onDoubleClick={() => selected !== NO_SPAN && selectSpan(selected)}
        >
          <canvas ref={canvas} className={styles.pixels} aria-hidden="true" />
          {brush && <div className={styles.brush} style={{ left: Math.min(...brush), width: Math.abs(brush[1] - brush[0]) }} />}
        </div>
      </div>
      <Axis lanes={lanes} x={x} width={width} />
      <div className={styles.readout} role="status" data-testid="lane-readout">
        {described === NO_SPAN ? <span className={styles.soft}>Hover a box for details; drag to select a time range for all views.</span> : <SpanReadout lanes={lanes} at={described} />}
        {selected !== NO_SPAN && (
          <Button
            onClick={() => {
              selectSpan(selected)
              onChange({ look: 'flame' })
            }}
          >
            Show flame graph
          </Button>
        )}
      </div>
    </>
  )
}

const offsetX = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left

function Axis({ lanes, x, width }: { lanes: Lanes; x: ReturnType<typeof scaleLinear<number, number>>; width: number }) {
  const unit = lanes.axis === 'samples' ? '' : ' s'
  const ticks = x.ticks(Math.max(2, Math.floor(width / 110))).filter((tick) => lanes.axis === 'seconds' || Number.isInteger(tick))
  return <TimeAxis className={styles.axis} ticks={ticks.map((tick) => ({ label: `${tick}${unit}`, at: x(tick) / width }))} />
}

function SpanReadout({ lanes, at }: { lanes: Lanes; at: number }) {
  const { comm, frame, leaf } = spanNames(lanes, at)
  const thread = lanes.threads[lanes.thread[at] ?? -1]
  const start = lanes.start[at] ?? 0
  const end = start + (lanes.duration[at] ?? 0)
  const samples = lanes.samples[at] ?? 0
  return (
    <span>
      <strong>{comm}</strong>
      {thread && thread.tid >= 0 && ` ${thread.tid}`} · {lanes.axis === 'samples' ? `samples ${start + 1}–${end}` : `${start.toFixed(4)}–${end.toFixed(4)} s`} · {format.count(samples)}{' '}
      {samples === 1 ? 'sample' : 'samples'}
      {frame && (
        <>
          {' '}
          · all in <code>{frame}</code>
        </>
      )}
      {leaf && leaf !== frame && (
        <>
          {' '}
          · mostly at <code>{leaf}</code>
        </>
      )}
    </span>
  )
}
