import { useElementSize } from '@mantine/hooks'
import { scaleLinear } from 'd3-scale'
import { type KeyboardEvent, type PointerEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Lanes, type Profile, useLanes } from '../../api'
import { expressionOf, format, type LaneStep, NO_SPAN, placeOfSpan, spanAt, spanOfPlace, stepSpan } from '../../profile'
import { Button, Notice, Segments } from '../../ui'
import { drawLanes, LANE_HEIGHT, spanWords } from './drawLanes'
import styles from './lanes.module.css'
import type { GraphState, LaneKey, SpanKey } from './types'
import { usePalette } from './usePalette'

const WIDTH_ASKED = 2000
const REACH_PX = 3
const arrows: Record<string, LaneStep> = { ArrowLeft: 'before', ArrowRight: 'after', ArrowUp: 'above', ArrowDown: 'below' }
type Props = { profile: Profile; state: GraphState; onChange: (change: Partial<GraphState>) => void }

/** Who ran when, a lane for every CPU or thread. A brush over it selects time for every view. */
export function LanesView({ profile, state, onChange }: Props) {
  const answer = useLanes(profile.id, { by: state.lanes, spans: state.spans, width: WIDTH_ASKED }, state.selection)
  const lanes = answer.data
  if (answer.error) {
    return (
      <Notice what="The lanes could not be drawn." retry={() => void answer.refetch()}>
        {answer.error.message}
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
    { value: 'thread', label: 'Who ran', hint: 'One box as long as the same thread was seen' },
    { value: 'leaf', label: 'Functions', hint: 'One box as long as the innermost function was the same' },
    { value: 'stack', label: 'Stacks', hint: 'One box as long as the whole stack was the same' },
  ]
  return (
    <div className={styles.box}>
      <div className={styles.bar}>
        <Segments label="Lanes" value={lanes.by as LaneKey} options={choices} onChange={(by) => onChange({ lanes: by })} />
        <Segments label="Boxes" value={state.spans} options={runs} onChange={(spans) => onChange({ spans })} />
        <span className={styles.soft}>
          {lanes.axis === 'samples' ? 'One step is one sample: the recording says their order, not their time.' : `${span(lanes, lanes.to - lanes.from)} shown`}
          {lanes.bin !== null && ` · too many changes to show each: a box is the thread with most samples of ${span(lanes, lanes.bin)}`}
          {lanes.left_out_lanes > 0 && ` · ${lanes.left_out_lanes} quieter lanes are not shown`}
        </span>
      </div>
      <LaneMap lanes={lanes} state={state} onChange={onChange} />
    </div>
  )
}

/** A stretch of the axis in words. */
function span(lanes: Lanes, value: number): string {
  return lanes.axis === 'samples' ? `${format.count(value)} ${value === 1 ? 'sample' : 'samples'}` : format.weight(value * 1e9, 'ns')
}

function LaneMap({ lanes, state, onChange }: { lanes: Lanes; state: GraphState; onChange: Props['onChange'] }) {
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = usePalette()
  const [hovered, setHovered] = useState(NO_SPAN)
  const [brush, setBrush] = useState<[number, number] | null>(null)
  const x = useMemo(() => scaleLinear([lanes.from, lanes.to], [0, width]), [lanes.from, lanes.to, width])
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
  const selected = spanOfPlace(lanes, state.span)
  const setSelected = (at: number) => onChange({ span: placeOfSpan(lanes, at) })

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
    return spanAt(lanes, lane, x.invert(placeOf(event)), x.invert(REACH_PX) - x.invert(0))
  }
  const selectRange = (from: number, to: number) => {
    const { t0: _t0, t1: _t1, from_sample: _s0, to_sample: _s1, ...rest } = state.selection
    const range = lanes.axis === 'samples' ? { from_sample: Math.max(0, Math.floor(from)), to_sample: Math.ceil(to) } : { t0: Math.max(0, Number(from.toFixed(6))), t1: Number(to.toFixed(6)) }
    onChange({ selection: { ...rest, ...range }, zoom: null, node: null })
  }
  const selectSpan = (at: number) => selectRange(lanes.start[at] ?? 0, (lanes.start[at] ?? 0) + (lanes.duration[at] ?? 0))
  const press = (event: KeyboardEvent) => {
    const where = arrows[event.key]
    if (where) setSelected(stepSpan(lanes, selected, where))
    else if (event.key === 'Enter' && selected !== NO_SPAN) selectSpan(selected)
    else if (event.key === 'Escape') setSelected(NO_SPAN)
    else return
    event.preventDefault()
  }
  const told = selected !== NO_SPAN ? selected : hovered
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
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- role `application` is what takes its own keys */}
        <div
          ref={sizeRef}
          className={styles.map}
          style={{ height }}
          role="application"
          aria-roledescription="lanes"
          aria-label={`${lanes.lanes.length} lanes of who ran when. Arrows walk the boxes, Enter selects the time of one.`}
          tabIndex={0}
          data-testid="lanes"
          data-spans={lanes.start.length}
          data-lanes={lanes.lanes.map(({ label }) => label).join('|')}
          onKeyDown={press}
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.currentTarget.setPointerCapture(event.pointerId)
            setBrush([placeOf(event), placeOf(event)])
          }}
          onPointerMove={(event) => {
            setHovered(spanUnder(event))
            if (event.currentTarget.hasPointerCapture(event.pointerId)) setBrush((before) => before && [before[0], placeOf(event)])
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
        {told === NO_SPAN ? <span className={styles.soft}>Point at a box. Drag to select time for every view.</span> : <Told lanes={lanes} at={told} />}
        {selected !== NO_SPAN && (
          <Button
            onClick={() => {
              selectSpan(selected)
              onChange({ look: 'flame' })
            }}
          >
            Its flame graph
          </Button>
        )}
      </div>
    </>
  )
}

const placeOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left

function Axis({ lanes, x, width }: { lanes: Lanes; x: ReturnType<typeof scaleLinear<number, number>>; width: number }) {
  const unit = lanes.axis === 'samples' ? '' : ' s'
  const ticks = x.ticks(Math.max(2, Math.floor(width / 110))).filter((tick) => lanes.axis === 'seconds' || Number.isInteger(tick))
  return (
    <div className={styles.axis} aria-hidden="true">
      {ticks.map((tick) => (
        <span key={tick} style={{ left: x(tick) }}>
          {tick}
          {unit}
        </span>
      ))}
    </div>
  )
}

function Told({ lanes, at }: { lanes: Lanes; at: number }) {
  const { comm, frame, leaf } = spanWords(lanes, at)
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
