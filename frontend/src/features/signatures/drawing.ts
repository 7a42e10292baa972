import { Graph, layout } from '@dagrejs/dagre'
import type { Happening, Told } from './diagram'

/** What is drawn, in pixels from the upper left corner. Text is already broken into lines. */
export type Shape =
  | { kind: 'box'; x: number; y: number; width: number; height: number; tone: 'name' | 'note' | 'question' | 'block' | 'runs' }
  | { kind: 'line'; points: [number, number][]; isDotted: boolean; hasHead: boolean; tone: 'arrow' | 'life' }
  | { kind: 'text'; x: number; y: number; lines: string[]; anchor: 'middle' | 'start' }
export type Drawing = { width: number; height: number; shapes: Shape[] }

export const LINE = 16
const LETTER = 6.6
const PAD = 8

/** Break text at blanks into lines of at most `letters`; a longer word stands alone. */
export function broken(text: string, letters: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const widthOf = (lines: string[]): number => Math.max(0, ...lines.map((line) => line.length)) * LETTER + 2 * PAD

/** Draw what a diagram tells. */
export function draw(told: Told): Drawing {
  if (told.kind === 'sequence') return drawSequence(told.names, told.happenings)
  if (told.kind === 'flow') return drawFlow(told)
  return drawGantt(told)
}

const PAGE = 640

function drawSequence(names: Map<string, string>, happenings: Happening[]): Drawing {
  const ids = [...names.keys()]
  const lanes = Math.max(150, Math.min(190, Math.floor(PAGE / Math.max(1, ids.length))))
  const lane = (id: string): number => Math.max(0, ids.indexOf(id)) * lanes + lanes / 2
  const titles = ids.map((id) => broken(names.get(id) ?? id, Math.floor((lanes - 26) / LETTER)))
  const head = Math.max(1, ...titles.map((lines) => lines.length)) * LINE + 2 * PAD
  const shapes: Shape[] = []
  const open: { y: number; lines: string[] }[] = []
  let y = head + 14
  for (const happening of happenings) {
    if (happening.kind === 'block') {
      const lines = [happening.text]
      open.push({ y, lines })
      y += LINE + 12
    } else if (happening.kind === 'end') {
      const began = open.pop()
      if (!began) continue
      const inset = 4 + open.length * 6
      shapes.unshift({ kind: 'box', x: inset, y: began.y, width: ids.length * lanes - 2 * inset, height: y - began.y, tone: 'block' })
      shapes.push({ kind: 'text', x: inset + PAD, y: began.y + LINE, lines: began.lines, anchor: 'start' })
      y += 12
    } else if (happening.kind === 'note') {
      const at = happening.over.map(lane)
      const middle = (Math.min(...at) + Math.max(...at)) / 2
      const lines = broken(happening.text, 26 + ((Math.max(...at) - Math.min(...at)) / lanes) * 26)
      const [width, height] = [widthOf(lines), lines.length * LINE + PAD]
      const x = Math.min(Math.max(2, middle - width / 2), Math.max(2, ids.length * lanes - width - 2))
      shapes.push({ kind: 'box', x, y, width, height, tone: 'note' })
      shapes.push({ kind: 'text', x: x + width / 2, y: y + LINE, lines, anchor: 'middle' })
      y += height + 14
    } else {
      const [from, to] = [lane(happening.from), lane(happening.to)]
      const isSelf = from === to
      const lines = broken(happening.text, isSelf ? 22 : Math.floor((Math.max(lanes, Math.abs(from - to)) - 12) / LETTER))
      if (isSelf) {
        const drop = lines.length * LINE + 4
        const leftward = from + lanes > ids.length * lanes ? -1 : 1
        shapes.push({ kind: 'line', points: [[from, y], [from + 22 * leftward, y], [from + 22 * leftward, y + drop], [from, y + drop]], isDotted: happening.isAnswer, hasHead: true, tone: 'arrow' })
        const x = leftward > 0 ? from + 28 : from - 28 - widthOf(lines) + 2 * PAD
        shapes.push({ kind: 'text', x, y: y + LINE - 2, lines, anchor: 'start' })
        y += drop + 18
      } else {
        shapes.push({ kind: 'text', x: (from + to) / 2, y: y + LINE - 4, lines, anchor: 'middle' })
        y += lines.length * LINE + 4
        shapes.push({ kind: 'line', points: [[from, y], [to, y]], isDotted: happening.isAnswer, hasHead: true, tone: 'arrow' })
        y += 16
      }
    }
  }
  const lives: Shape[] = ids.map((id) => ({ kind: 'line', points: [[lane(id), head], [lane(id), y]], isDotted: true, hasHead: false, tone: 'life' }))
  const heads: Shape[] = ids.flatMap((id, at): Shape[] => {
    const lines = titles[at] ?? []
    const width = Math.min(lanes - 10, widthOf(lines))
    return [
      { kind: 'box', x: lane(id) - width / 2, y: 1, width, height: head - 1, tone: 'name' },
      { kind: 'text', x: lane(id), y: 1 + (head - lines.length * LINE) / 2 + 12, lines, anchor: 'middle' },
    ]
  })
  return { width: ids.length * lanes, height: y + 4, shapes: [...lives, ...shapes, ...heads] }
}

/** A chart that runs sideways and does not fit the page runs down instead. */
function drawFlow(told: Extract<Told, { kind: 'flow' }>): Drawing {
  const drawn = flowOf(told)
  return told.isSideways && drawn.width > PAGE ? flowOf({ ...told, isSideways: false }) : drawn
}

type Node = { x: number; y: number; width: number; height: number }

/** Draw an arrow from a node back to itself, on its right side; the layout has no place for it. */
function loopAt({ x, y, width }: Node, lines: string[]): Shape[] {
  const right = x + width / 2
  return [
    { kind: 'line', points: [[right, y - 9], [right + 20, y - 9], [right + 20, y + 9], [right, y + 9]], isDotted: false, hasHead: true, tone: 'arrow' },
    { kind: 'text', x: right + 26, y: y - (lines.length * LINE) / 2 + 12, lines, anchor: 'start' },
  ]
}

function flowOf(told: Extract<Told, { kind: 'flow' }>): Drawing {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ rankdir: told.isSideways ? 'LR' : 'TB', nodesep: 24, ranksep: told.isSideways ? 46 : 34, marginx: 6, marginy: 6 })
  const words = new Map([...told.names].map(([id, name]) => [id, broken(name, 26)]))
  for (const [id, lines] of words) graph.setNode(id, { width: widthOf(lines) + 8, height: lines.length * LINE + 2 * PAD })
  const labels = told.arrows.map(({ text }) => (text ? broken(text, 20) : []))
  told.arrows.forEach(({ from, to }, at) => {
    if (from === to) return
    const lines = labels[at] ?? []
    graph.setEdge(from, to, { width: lines.length > 0 ? widthOf(lines) : 0, height: lines.length * LINE, labelpos: 'c' }, String(at))
  })
  layout(graph)
  const shapes: Shape[] = []
  told.arrows.forEach(({ from, to, isDotted }, at) => {
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
    shapes.push({ kind: 'box', x: node.x - node.width / 2, y: node.y - node.height / 2, width: node.width, height: node.height, tone: told.questions.has(id) ? 'question' : 'name' })
    shapes.push({ kind: 'text', x: node.x, y: node.y - (lines.length * LINE) / 2 + 12, lines, anchor: 'middle' })
  }
  return framed(shapes)
}

/** Move shapes so that all of them, and their words, lie inside the frame: a layout may lead an arrow outside. */
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

function drawGantt(told: Extract<Told, { kind: 'gantt' }>): Drawing {
  const sections = [...new Set(told.spans.map(({ section }) => section))]
  const left = widthOf(sections)
  const end = Math.max(1, ...told.spans.map(({ to }) => to))
  const at = (time: number): number => left + (time / end) * (GANTT_WIDTH - left - 2)
  const shapes: Shape[] = [{ kind: 'text', x: 0, y: LINE, lines: [told.title], anchor: 'start' }]
  for (const [row, section] of sections.entries()) shapes.push({ kind: 'text', x: 0, y: 52 + row * 36, lines: [section], anchor: 'start' })
  for (const { text, section, from, to } of told.spans) {
    const y = 32 + sections.indexOf(section) * 36
    shapes.push({ kind: 'box', x: at(from), y, width: at(to) - at(from), height: 28, tone: text === 'stopped' ? 'note' : 'runs' })
    shapes.push({ kind: 'text', x: (at(from) + at(to)) / 2, y: y + 19, lines: [text], anchor: 'middle' })
  }
  const foot = 32 + sections.length * 36 + 12
  const ticks = [...new Set(told.spans.flatMap(({ from, to }) => [from, to]))]
  for (const time of ticks) shapes.push({ kind: 'text', x: at(time), y: foot, lines: [String(time)], anchor: time === 0 ? 'start' : 'middle' })
  return { width: GANTT_WIDTH + 16, height: foot + 6, shapes }
}
