import { asKind, type Box, boxesIn, frameColour, type Graph, KINDS, type Kind, nameOf, NO_ROW } from '../../profile'

export const ROW_HEIGHT = 19
const CHARACTER_WIDTH = 6.62
const FONT = "11px 'JetBrains Mono', ui-monospace, monospace"
const MIN_BOX_PX = 0.7

/** What part of the graph is on screen: fractions of its width, and pixels scrolled away from the outermost row. */
export type Viewport = { from: number; to: number; scroll: number }

export type Palette = { ink: string; faint: string; paper: string; root: string; outline: string; found: string; foundInk: string; isDark: boolean }

export type Scene = {
  graph: Graph
  colours: readonly string[]
  palette: Palette
  viewport: Viewport
  width: number
  height: number
  isFlame: boolean
  matched: Uint8Array | null
  outlined: readonly number[]
  selected: number
  hovered: number
  rootLabel: string
}

/** Steady colours of all names of a graph, by frame. */
export function coloursOf(graph: Graph, isDark: boolean): string[] {
  return graph.columns.names.map((name, at) => frameColour(name, graph.columns.kinds[at] ?? '', isDark))
}

export function kindsIn(graph: Graph): Kind[] {
  const seen = new Set(graph.columns.kinds.map(asKind))
  return KINDS.filter((kind) => seen.has(kind))
}

/** Top edge of a row of boxes; row 0 is the whole profile, depth 0 of the graph is row 1. */
export function topOf(row: number, { height, isFlame, viewport }: Pick<Scene, 'height' | 'isFlame' | 'viewport'>): number {
  return isFlame ? height - (row + 1) * ROW_HEIGHT + viewport.scroll : row * ROW_HEIGHT - viewport.scroll
}

/** The row of boxes at a height of the canvas. */
export function rowOfY(y: number, { height, isFlame, viewport }: Pick<Scene, 'height' | 'isFlame' | 'viewport'>): number {
  return Math.floor((isFlame ? height - y + viewport.scroll : y + viewport.scroll) / ROW_HEIGHT)
}

export function draw(context: CanvasRenderingContext2D, scene: Scene): number {
  const { graph, viewport, width, height, palette } = scene
  context.clearRect(0, 0, width, height)
  context.font = FONT
  context.textBaseline = 'middle'
  drawBox(context, scene, -viewport.from / (viewport.to - viewport.from), 1 / (viewport.to - viewport.from), 0, palette.root, palette.ink, scene.rootLabel)

  const firstDepth = Math.max(0, Math.floor(viewport.scroll / ROW_HEIGHT) - 1)
  const lastDepth = firstDepth + Math.ceil(height / ROW_HEIGHT) + 1
  const boxes = boxesIn(graph, { ...viewport, firstDepth, lastDepth }, MIN_BOX_PX / width)
  for (const box of boxes) {
    const frame = graph.columns.frame[box.row] ?? 0
    const isFound = scene.matched?.[frame] === 1
    const fill = scene.matched ? (isFound ? palette.found : palette.faint) : (scene.colours[frame] ?? palette.faint)
    drawBox(context, scene, box.start, box.width, box.depth + 1, fill, isFound ? palette.foundInk : palette.ink, nameOf(graph, box.row))
  }
  for (const row of scene.outlined) frameBox(context, scene, boxOf(scene, row), palette.outline, 2.5)
  if (scene.hovered !== NO_ROW) frameBox(context, scene, boxOf(scene, scene.hovered), palette.ink, 1)
  if (scene.selected !== NO_ROW) frameBox(context, scene, boxOf(scene, scene.selected), palette.ink, 2)
  return boxes.length
}

function boxOf({ graph, viewport }: Scene, row: number): Box {
  const span = viewport.to - viewport.from
  const depth = (graph.columns.depth[row] ?? 0) - (graph.columns.depth[0] ?? 0)
  return { row, depth, start: ((graph.start[row] ?? 0) - viewport.from) / span, width: (graph.width[row] ?? 0) / span }
}

function drawBox(context: CanvasRenderingContext2D, scene: Scene, start: number, share: number, row: number, fill: string, ink: string, label: string): void {
  const top = topOf(row, scene)
  if (top >= scene.height || top + ROW_HEIGHT <= 0) return
  const left = Math.max(0, start * scene.width)
  const right = Math.min(scene.width, (start + share) * scene.width)
  const gap = right - left > 3 ? 1 : 0
  context.fillStyle = fill
  context.fillRect(left, top, Math.max(right - left - gap, MIN_BOX_PX), ROW_HEIGHT - 1)
  const room = Math.floor((right - left - 8) / CHARACTER_WIDTH)
  if (room < 3) return
  context.fillStyle = ink
  context.fillText(label.length > room ? `${label.slice(0, room - 1)}…` : label, left + 4, top + ROW_HEIGHT / 2)
}

/** Even what is too narrow for a box of its own stays visible when it is evidence. */
function frameBox(context: CanvasRenderingContext2D, scene: Scene, box: Box, colour: string, line: number): void {
  const left = box.start * scene.width
  const width = Math.max(box.width * scene.width - 1, 3)
  if (left > scene.width || left + width < 0) return
  const right = Math.min(left + width, scene.width + 4)
  const from = Math.max(left, -4)
  context.strokeStyle = colour
  context.lineWidth = line
  context.strokeRect(from + line / 2, topOf(box.depth + 1, scene) + line / 2, Math.max(right - from - line, 1), ROW_HEIGHT - 1 - line)
}
