import { type Box, boxesIn, format, type Graph, labelOf, NO_ROW } from '../../profile'
import type { Paint } from './paint'
import type { Palette } from './usePalette'

export const ROW_HEIGHT = 19
const CHARACTER_WIDTH = 6.62
const FONT = "11px 'JetBrains Mono', ui-monospace, monospace"
const MIN_BOX_PX = 0.7
const MIN_LABEL_CHARACTERS = 3
/** Characters between a name and its share. */
const SHARE_GAP = 2
const SHARE_ALPHA = 0.78

/** The visible part of the graph: fractions of its width, and pixels scrolled from the outermost row. */
export type Viewport = { from: number; to: number; scroll: number }

export type Scene = {
  graph: Graph
  paint: Paint
  palette: Palette
  viewport: Viewport
  width: number
  height: number
  isFlame: boolean
  outlined: readonly number[]
  selected: number
  hovered: number
  rootLabel: string
  /** The label of a box; the frame name when absent. */
  labelOf?: ((row: number) => string) | undefined
}

type Rows = Pick<Scene, 'height' | 'isFlame' | 'viewport'>

/** Top edge of a row of boxes; row 0 is the whole profile, depth 0 of the graph is row 1. */
export function topOf(row: number, { height, isFlame, viewport }: Rows): number {
  return isFlame ? height - (row + 1) * ROW_HEIGHT + viewport.scroll : row * ROW_HEIGHT - viewport.scroll
}

/** The row of boxes at a height of the canvas. */
export function rowOfY(y: number, { height, isFlame, viewport }: Rows): number {
  return Math.floor((isFlame ? height - y + viewport.scroll : y + viewport.scroll) / ROW_HEIGHT)
}

/** Draws the visible boxes grouped by colour, then the labels. Returns the number of boxes. */
export function draw(context: CanvasRenderingContext2D, scene: Scene): number {
  const { graph, viewport, width, height, palette, paint } = scene
  context.clearRect(0, 0, width, height)
  context.font = FONT
  context.textBaseline = 'middle'
  const span = viewport.to - viewport.from
  const root: Box = { row: NO_ROW, depth: -1, start: -viewport.from / span, width: 1 / span, count: 1 }
  context.fillStyle = palette.root
  fillBox(context, scene, root)
  context.fillStyle = palette.ink
  label(context, scene, root, scene.rootLabel)

  const firstDepth = Math.max(0, Math.floor(viewport.scroll / ROW_HEIGHT) - 1)
  const lastDepth = firstDepth + Math.ceil(height / ROW_HEIGHT) + 1
  const boxes = boxesIn(graph, { ...viewport, firstDepth, lastDepth }, MIN_BOX_PX / width)
  const byColour: Box[][] = paint.fills.map(() => [])
  for (const box of boxes) byColour[paint.of(box.row)]?.push(box)
  for (const [at, group] of byColour.entries()) {
    if (group.length === 0) continue
    context.fillStyle = paint.fills[at] as string
    for (const box of group) fillBox(context, scene, box)
    if (paint.isHatched?.(at)) for (const box of group) hatchBox(context, scene, box)
  }
  for (const [at, group] of byColour.entries()) {
    if (group.length === 0) continue
    context.fillStyle = paint.inks[at] as string
    for (const box of group) if (box.count === 1) label(context, scene, box, scene.labelOf ? scene.labelOf(box.row) : labelOf(graph, box.row), scene.labelOf ? '' : format.share(graph.width[box.row] ?? 0))
  }
  for (const row of scene.outlined) outlineBox(context, scene, boxOf(scene, row), palette.outline, 2.5)
  if (scene.hovered !== NO_ROW) outlineBox(context, scene, boxOf(scene, scene.hovered), palette.ink, 1)
  if (scene.selected !== NO_ROW) outlineBox(context, scene, boxOf(scene, scene.selected), palette.ink, 2)
  return boxes.length
}

function boxOf({ graph, viewport }: Scene, row: number): Box {
  const span = viewport.to - viewport.from
  const depth = (graph.columns.depth[row] ?? 0) - (graph.columns.depth[0] ?? 0)
  return { row, depth, start: ((graph.start[row] ?? 0) - viewport.from) / span, width: (graph.width[row] ?? 0) / span, count: 1 }
}

function edges(scene: Scene, box: Box): [left: number, right: number] {
  return [Math.max(0, box.start * scene.width), Math.min(scene.width, (box.start + box.width) * scene.width)]
}

function fillBox(context: CanvasRenderingContext2D, scene: Scene, box: Box): void {
  const [left, right] = edges(scene, box)
  const gap = right - left > 3 ? 1 : 0
  context.fillRect(left, topOf(box.depth + 1, scene), Math.max(right - left - gap, MIN_BOX_PX), ROW_HEIGHT - 1)
}

/** Distance of the lines of a hatch, and its narrowest box. */
const HATCH_PX = 7

/** Hatches a box: code about which nothing is known. */
function hatchBox(context: CanvasRenderingContext2D, scene: Scene, box: Box): void {
  const [left, right] = edges(scene, box)
  if (right - left < HATCH_PX) return
  const [top, height] = [topOf(box.depth + 1, scene), ROW_HEIGHT - 1]
  context.save()
  context.beginPath()
  context.rect(left, top, right - left - 1, height)
  context.clip()
  context.beginPath()
  for (let x = left - height; x < right; x += HATCH_PX) {
    context.moveTo(x, top + height)
    context.lineTo(x + height, top)
  }
  context.lineWidth = 1
  context.globalAlpha = 0.35
  context.strokeStyle = scene.palette.soft
  context.stroke()
  context.restore()
}

/** Writes the name of a box, and its share where both fit. */
function label(context: CanvasRenderingContext2D, scene: Scene, box: Box, text: string, share = ''): void {
  const [left, right] = edges(scene, box)
  const maxCharacters = Math.floor((right - left - 8) / CHARACTER_WIDTH)
  if (maxCharacters < MIN_LABEL_CHARACTERS) return
  const middle = topOf(box.depth + 1, scene) + ROW_HEIGHT / 2
  context.fillText(text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text, left + 4, middle)
  if (share === '' || text.length + share.length + SHARE_GAP > maxCharacters) return
  context.globalAlpha = SHARE_ALPHA
  context.fillText(share, left + 4 + (text.length + SHARE_GAP) * CHARACTER_WIDTH, middle)
  context.globalAlpha = 1
}

/** Outlines a box; the outline is at least 3 px wide, so that narrow cited frames stay visible. */
function outlineBox(context: CanvasRenderingContext2D, scene: Scene, box: Box, colour: string, line: number): void {
  const left = box.start * scene.width
  const width = Math.max(box.width * scene.width - 1, 3)
  if (left > scene.width || left + width < 0) return
  const right = Math.min(left + width, scene.width + 4)
  const from = Math.max(left, -4)
  context.strokeStyle = colour
  context.lineWidth = line
  context.strokeRect(from + line / 2, topOf(box.depth + 1, scene) + line / 2, Math.max(right - from - line, 1), ROW_HEIGHT - 1 - line)
}
