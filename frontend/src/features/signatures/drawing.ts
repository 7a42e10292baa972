import { Graph, layout } from '@dagrejs/dagre'
import type { SequenceEvent, MermaidDiagram } from './diagram'

/** A shape in pixels from the top left corner, with wrapped text. */
export type Shape =
  | { kind: 'box'; x: number; y: number; width: number; height: number; tone: 'name' | 'note' | 'question' | 'block' | 'runs' }
  | { kind: 'line'; points: [number, number][]; isDotted: boolean; hasHead: boolean; tone: 'arrow' | 'life' }
  | { kind: 'text'; x: number; y: number; lines: string[]; anchor: 'middle' | 'start' }
export type Drawing = { width: number; height: number; shapes: Shape[] }

export const LINE = 16
const CHAR_WIDTH = 6.6
const PAD = 8

/** Wrap text at spaces into lines of at most `maxChars`; a longer word gets its own line. */
export function wrapText(text: string, maxChars: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= maxChars) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const widthOf = (lines: string[]): number => Math.max(0, ...lines.map((line) => line.length)) * CHAR_WIDTH + 2 * PAD

/** Lay out a diagram. */
export function draw(diagram: MermaidDiagram): Drawing {
  if (diagram.kind === 'sequence') return drawSequence(diagram.names, diagram.events)
  if (diagram.kind === 'flow') return drawFlow(diagram)
  return drawGantt(diagram)
}

const MAX_WIDTH = 640

function drawSequence(names: Map<string, string>, events: SequenceEvent[]): Drawing {
  const ids = [...names.keys()]
  const lanes = Math.max(150, Math.min(190, Math.floor(MAX_WIDTH / Math.max(1, ids.length))))
  const lane = (id: string): number => Math.max(0, ids.indexOf(id)) * lanes + lanes / 2
  const titles = ids.map((id) => wrapText(names.get(id) ?? id, Math.floor((lanes - 26) / CHAR_WIDTH)))
  const headHeight = Math.max(1, ...titles.map((lines) => lines.length)) * LINE + 2 * PAD
  const shapes: Shape[] = []
  const open: { y: number; lines: string[] }[] = []
  let y = headHeight + 14
  for (const event of events) {
    if (event.kind === 'block') {
      const lines = [event.text]
      open.push({ y, lines })
      y += LINE + 12
    } else if (event.kind === 'end') {
      const block = open.pop()
      if (!block) continue
      const inset = 4 + open.length * 6
      shapes.unshift({ kind: 'box', x: inset, y: block.y, width: ids.length * lanes - 2 * inset, height: y - block.y, tone: 'block' })
      shapes.push({ kind: 'text', x: inset + PAD, y: block.y + LINE, lines: block.lines, anchor: 'start' })
      y += 12
    } else if (event.kind === 'note') {
      const at = event.over.map(lane)
      const middle = (Math.min(...at) + Math.max(...at)) / 2
      const lines = wrapText(event.text, 26 + ((Math.max(...at) - Math.min(...at)) / lanes) * 26)
      const [width, height] = [widthOf(lines), lines.length * LINE + PAD]
      const x = Math.min(Math.max(2, middle - width / 2), Math.max(2, ids.length * lanes - width - 2))
      shapes.push({ kind: 'box', x, y, width, height, tone: 'note' })
      shapes.push({ kind: 'text', x: x + width / 2, y: y + LINE, lines, anchor: 'middle' })
      y += height + 14
    } else {
      const [from, to] = [lane(event.from), lane(event.to)]
      const isSelf = from === to
      const lines = wrapText(event.text, isSelf ? 22 : Math.floor((Math.max(lanes, Math.abs(from - to)) - 12) / CHAR_WIDTH))
      if (isSelf) {
        const drop = lines.length * LINE + 4
        const leftward = from + lanes > ids.length * lanes ? -1 : 1
        shapes.push({ kind: 'line', points: [[from, y], [from + 22 * leftward, y], [from + 22 * leftward, y + drop], [from, y + drop]], isDotted: event.isReply, hasHead: true, tone: 'arrow' })
        const x = leftward > 0 ? from + 28 : from - 28 - widthOf(lines) + 2 * PAD
        shapes.push({ kind: 'text', x, y: y + LINE - 2, lines, anchor: 'start' })
        y += drop + 18
      } else {
        shapes.push({ kind: 'text', x: (from + to) / 2, y: y + LINE - 4, lines, anchor: 'middle' })
        y += lines.length * LINE + 4
        shapes.push({ kind: 'line', points: [[from, y], [to, y]], isDotted: event.isReply, hasHead: true, tone: 'arrow' })
        y += 16
      }
    }
  }
  const lifelines: Shape[] = ids.map((id) => ({ kind: 'line', points: [[lane(id), headHeight], [lane(id), y]], isDotted: true, hasHead: false, tone: 'life' }))
  const heads: Shape[] = ids.flatMap((id, at): Shape[] => {
    const lines = titles[at] ?? []
    const width = Math.min(lanes - 10, widthOf(lines))
    return [
      { kind: 'box', x: lane(id) - width / 2, y: 1, width, height: headHeight - 1, tone: 'name' },
      { kind: 'text', x: lane(id), y: 1 + (headHeight - lines.length * LINE) / 2 + 12, lines, anchor: 'middle' },
    ]
  })
  return { width: ids.length * lanes, height: y + 4, shapes: [...lifelines, ...shapes, ...heads] }
}

/** Horizontal flow charts that exceed `MAX_WIDTH` are drawn vertically. */
function drawFlow(diagram: Extract<MermaidDiagram, { kind: 'flow' }>): Drawing {
  const drawing = flowOf(diagram)
  return diagram.isSideways && drawing.width > MAX_WIDTH ? flowOf({ ...diagram, isSideways: false }) : drawing
}

type Node = { x: number; y: number; width: number; height: number }

/** Self-loop on the right side of a node; dagre does not lay out self-loops. */
function loopAt({ x, y, width }: Node, lines: string[]): Shape[] {
  const right = x + width / 2
  return [
    { kind: 'line', points: [[right, y - 9], [right + 20, y - 9], [right + 20, y + 9], [right, y + 9]], isDotted: false, hasHead: true, tone: 'arrow' },
    { kind: 'text', x: right + 26, y: y - (lines.length * LINE) / 2 + 12, lines, anchor: 'start' },
  ]
}

function flowOf(diagram: Extract<MermaidDiagram, { kind: 'flow' }>): Drawing {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: diagram.isSideways ? 'LR' : 'TB', nodesep: 24, ranksep: diagram.isSideways ? 46 : 34, marginx: 6, marginy: 6 })
  const words = new Map([...diagram.names].map(([id, name]) => [id, wrapText(name, 26)]))
  for (const [id, lines] of words) graph.setNode(id, { width: widthOf(lines) + 8, height: lines.length * LINE + 2 * PAD })
  const labels = diagram.arrows.map(({ text }) => (text ? wrapText(text, 20) : []))
  diagram.arrows.forEach(({ from, to }, at) => {
    if (from === to) return
    const lines = labels[at] ?? []
    graph.setEdge(from, to, { width: lines.length > 0 ? widthOf(lines) : 0, height: lines.length * LINE, labelpos: 'c' }, String(at))
  })
  layout(graph)
  const shapes: Shape[] = []
  diagram.arrows.forEach(({ from, to, isDotted }, at) => {
    const lines = labels[at] ?? []
    if (from === to) {
      shapes.push(...loopAt(graph.node(from) as Node, lines))
      return
    }
    const edge = graph.edge(from, to, String(at)) as { points: { x: number; y: number }[]; x?: number; y?: number }
    shapes.push({ kind: 'line', points: edge.points.map(({ x, y }) => [x, y]), isDotted, hasHead: true, tone: 'arrow' })
    if (lines.length > 0 && edge.x !== undefined && edge.y !== undefined) {
      shapes.push({ kind: 'text', x: edge.x, y: edge.y - (lines.length * LINE) / 2 + 12, lines, anchor: 'middle' })
    }
  })
  for (const [id, lines] of words) {
    const node = graph.node(id) as Node
    shapes.push({ kind: 'box', x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, tone: diagram.decisions.has(id) ? 'question' : 'name' })
    shapes.push({ kind: 'text', x: node.x, y: node.y - (lines.length * LINE) / 2 + 12, lines, anchor: 'middle' })
  }
  return framed(shapes)
}

/** Shift shapes into the frame; the layout may route edges outside. */
function framed(shapes: Shape[]): Drawing {
  const spans = shapes.flatMap((shape): [number, number][] => {
    if (shape.kind === 'line') return shape.points
    if (shape.kind === 'box') return [[shape.x, shape.y], [shape.x + shape.width, shape.y + shape.height]]
    const left = shape.anchor === 'start' ? shape.x : shape.x - widthOf(shape.lines) / 2
    return [[left, shape.y - LINE], [left + widthOf(shape.lines), shape.y + shape.lines.length * LINE]]
  })
  const [xs, ys] = [spans.map(([x]) => x), spans.map(([, y]) => y)]
  const [left, top] = [Math.min(...xs) - 4, Math.min(...ys) - 4]
  const moved = shapes.map((shape): Shape =>
    shape.kind === 'line'
      ? { ...shape, points: shape.points.map(([x, y]) => [x - left, y - top]) }
      : { ...shape, x: shape.x - left, y: shape.y - top },
  )
  return { width: Math.max(...xs) - left + 4, height: Math.max(...ys) - top + 4, shapes: moved }
}

const GANTT_WIDTH = 620

function drawGantt(diagram: Extract<MermaidDiagram, { kind: 'gantt' }>): Drawing {
  const sections = [...new Set(diagram.spans.map(({ section }) => section))]
  const left = widthOf(sections)
  const end = Math.max(1, ...diagram.spans.map(({ to }) => to))
  const at = (time: number): number => left + (time / end) * (GANTT_WIDTH - left - 2)
  const shapes: Shape[] = [{ kind: 'text', x: 0, y: LINE, lines: [diagram.title], anchor: 'start' }]
  for (const [row, section] of sections.entries()) shapes.push({ kind: 'text', x: 0, y: 52 + row * 36, lines: [section], anchor: 'start' })
  for (const { text, section, from, to } of diagram.spans) {
    const y = 32 + sections.indexOf(section) * 36
    shapes.push({ kind: 'box', x: at(from), y, width: at(to) - at(from), height: 28, tone: text === 'stopped' ? 'note' : 'runs' })
    shapes.push({ kind: 'text', x: (at(from) + at(to)) / 2, y: y + 19, lines: [text], anchor: 'middle' })
  }
  const foot = 32 + sections.length * 36 + 12
  const ticks = [...new Set(diagram.spans.flatMap(({ from, to }) => [from, to]))]
  for (const time of ticks) shapes.push({ kind: 'text', x: at(time), y: foot, lines: [String(time)], anchor: time === 0 ? 'start' : 'middle' })
  return { width: GANTT_WIDTH + 16, height: foot + 6, shapes }
}
