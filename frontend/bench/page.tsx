/** What `measure.mjs` calls: the product's canvas, and d3-flame-graph, each painting the same tree on this page. */
import '../src/styles/index.css'
import '../../node_modules/d3-flame-graph/dist/d3-flamegraph.css'
import flamegraph from 'd3-flame-graph'
import { select } from 'd3-selection'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { indexInWorker } from '../src/api/graphWorker'
import { draw } from '../src/features/flamegraph/draw'
import { FlameCanvas } from '../src/features/flamegraph/FlameCanvas'
import { paintByKind } from '../src/features/flamegraph/paint'
import type { Palette } from '../src/features/flamegraph/usePalette'
import { type Graph, NO_ROW, search, step } from '../src/profile'

const WIDTH = 1280
const HEIGHT = 700
const FRAMES = 120
const ZOOM_MS = 900
const PALETTE: Palette = { isDark: false, ink: '#1c2326', soft: '#444', line: '#ddd', faint: '#eee', paper: '#fff', root: '#d9d6cc', outline: '#0b3cc1', match: '#d96fcb', matchInk: '#000' }

const place = document.getElementById('place') as HTMLElement
const painted = () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))
const wait = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds))

/** The longest time for which this page could not have answered a key, until the returned function is called. */
function watchBlocking(): () => number {
  let [last, longest, isOver] = [performance.now(), 0, false]
  const channel = new MessageChannel()
  const beat = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) channel.port2.postMessage(null)
  }
  channel.port1.addEventListener('message', beat)
  channel.port1.start()
  channel.port2.postMessage(null)
  return () => {
    beat()
    isOver = true
    return longest
  }
}

const quantile = (values: number[], share: number) => values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0

/** The widest path from the outside in: what somebody follows who looks for the cause. */
function widestPath(graph: Graph): number[] {
  const path = [step(graph, NO_ROW, 'callee')]
  for (;;) {
    const here = path.at(-1) as number
    const next = step(graph, here, 'callee')
    if (next === here) return path
    path.push(next)
  }
}

/** JavaScript of single frames: whole graph, then closer and closer along the widest path. */
function drawTimes(graph: Graph): number[] {
  const canvas = document.createElement('canvas')
  canvas.width = WIDTH
  canvas.height = HEIGHT
  const context = canvas.getContext('2d') as CanvasRenderingContext2D
  const paint = paintByKind(graph, PALETTE)
  const path = widestPath(graph)
  return Array.from({ length: FRAMES }, (_, at) => {
    const row = path[Math.floor((at / FRAMES) * path.length)] ?? 0
    const from = graph.start[row] ?? 0
    const share = at / FRAMES
    const viewport = { from: from * share, to: 1 - (1 - from - (graph.width[row] ?? 1)) * share, scroll: 0 }
    const began = performance.now()
    draw(context, { graph, paint, palette: PALETTE, viewport, width: WIDTH, height: HEIGHT, isFlame: true, outlined: [], selected: NO_ROW, hovered: NO_ROW, rootLabel: 'all' })
    return performance.now() - began
  })
}

async function ours(address: string) {
  const body = await (await fetch(address)).arrayBuffer()
  const blocked = watchBlocking()
  const began = performance.now()
  const graph = await indexInWorker(body)
  const root = createRoot(place)
  const paint = paintByKind(graph, PALETTE)
  const show = (zoomRow: number) =>
    flushSync(() =>
      root.render(
        <FlameCanvas graph={graph} paint={paint} isFlame rootLabel="all" selected={NO_ROW} zoomRow={zoomRow} onSelect={() => undefined} onZoom={() => undefined} />,
      ),
    )
  show(NO_ROW)
  await painted()
  const firstPaint = performance.now() - began
  await wait(300)
  const loadBlocked = blocked()

  const gaps: number[] = []
  let last = performance.now()
  const path = widestPath(graph)
  const zoomBlocked = watchBlocking()
  show(path[Math.floor(path.length / 2)] ?? 0)
  for (const end = performance.now() + ZOOM_MS; performance.now() < end; ) {
    // oxlint-disable-next-line no-await-in-loop -- one frame after the other is what is measured
    await new Promise((done) => requestAnimationFrame(done))
    gaps.push(performance.now() - last)
    last = performance.now()
  }
  const zoomLongest = zoomBlocked()
  const searching = performance.now()
  const found = search(graph, 'lock|alloc|copy_')
  const searchTime = performance.now() - searching
  const frames = drawTimes(graph)
  root.unmount()
  return {
    rows: graph.size,
    firstPaint,
    loadBlocked,
    zoomBlocked: zoomLongest,
    frameGap: quantile(gaps, 0.95),
    drawMedian: quantile(frames, 0.5),
    draw95: quantile(frames, 0.95),
    searchTime,
    names: graph.columns.names.length,
    matched: found.match?.frameCount ?? 0,
  }
}

async function peer(address: string) {
  const text = await (await fetch(address)).text()
  const began = performance.now()
  const chart = flamegraph().width(WIDTH).cellHeight(18).transitionDuration(0)
  const selection = select(place).datum(JSON.parse(text) as unknown)
  selection.call(chart as unknown as (chosen: typeof selection) => void)
  await painted()
  const firstPaint = performance.now() - began
  type Placed = { value: number; children?: Placed[] }
  let node = (select(place).datum() as unknown as Placed)
  for (let depth = 0; depth < 12 && node.children?.length; depth++) node = node.children.reduce((best, child) => (child.value > best.value ? child : best))
  const zooming = performance.now()
  chart.zoomTo(node as never)
  await painted()
  return { firstPaint, zoom: performance.now() - zooming, rectangles: place.querySelectorAll('rect').length }
}

Object.assign(window, { ours, peer })
