import type { ScaleLinear } from 'd3-scale'
import type { Lanes } from '../../api'
import { commColour, firstSpans, laneColours } from '../../profile'
import type { Palette } from './usePalette'

export const LANE_HEIGHT = 36
const FONT = "11px 'JetBrains Mono', ui-monospace, monospace"
const CHARACTER_WIDTH = 6.62

export type LaneScene = { lanes: Lanes; x: ScaleLinear<number, number>; width: number; palette: Palette; selected: number; hovered: number; matched: ReadonlySet<number> | null }

/** The command of a span, the frame that all its samples share, and its most frequent leaf. */
export function spanNames(lanes: Lanes, span: number): { comm: string; frame: string; leaf: string } {
  const name = (column: number[]) => lanes.names[column[span] ?? -1] ?? ''
  return { comm: lanes.threads[lanes.thread[span] ?? -1]?.comm ?? '', frame: name(lanes.frame), leaf: name(lanes.leaf) }
}

/** Draws one row per lane and one box per span, labelled with its command and its common frame. */
export function drawLanes(context: CanvasRenderingContext2D, { lanes, x, width, palette, selected, hovered, matched }: LaneScene): void {
  const colours = laneColours(palette.isDark)
  const first = firstSpans(lanes)
  context.clearRect(0, 0, width, lanes.lanes.length * LANE_HEIGHT)
  context.font = FONT
  context.textBaseline = 'middle'
  for (let lane = 0; lane < lanes.lanes.length; lane++) {
    const top = lane * LANE_HEIGHT
    context.fillStyle = palette.line
    context.fillRect(0, top + LANE_HEIGHT - 1, width, 1)
    for (let span = first[lane] ?? 0; span < (first[lane + 1] ?? 0); span++) {
      const left = x(lanes.start[span] ?? 0)
      const right = x((lanes.start[span] ?? 0) + (lanes.duration[span] ?? 0))
      if (right < 0 || left > width) continue
      const isMatch = matched?.has(lanes.frame[span] ?? -1) || matched?.has(lanes.leaf[span] ?? -1)
      const { comm, frame, leaf } = spanNames(lanes, span)
      context.fillStyle = matched ? (isMatch ? palette.match : palette.faint) : (colours[commColour(comm)] as string)
      const shownWidth = Math.max(right - left - (right - left > 3 ? 1 : 0), 1)
      context.fillRect(left, top + 3, shownWidth, LANE_HEIGHT - 7)
      if (span === selected || span === hovered) {
        context.strokeStyle = span === selected ? palette.outline : palette.ink
        context.lineWidth = span === selected ? 2 : 1
        context.strokeRect(left + 1, top + 4, Math.max(shownWidth - 2, 2), LANE_HEIGHT - 9)
      }
      const maxCharacters = Math.floor((Math.min(right, width) - Math.max(left, 0) - 8) / CHARACTER_WIDTH)
      if (maxCharacters < 3) continue
      context.fillStyle = isMatch ? palette.matchInk : palette.ink
      write(context, comm, Math.max(left, 0) + 4, top + 11, maxCharacters)
      context.globalAlpha = 0.85
      write(context, frame || leaf, Math.max(left, 0) + 4, top + 24, maxCharacters)
      context.globalAlpha = 1
    }
  }
}

function write(context: CanvasRenderingContext2D, text: string, left: number, middle: number, maxCharacters: number): void {
  context.fillText(text.length > maxCharacters ? `${text.slice(0, maxCharacters - 1)}…` : text, left, middle)
}
