import { changeColours, changeStep, type Graph, type Hue, hueAt, HUES, kindColours, type Match } from '../../profile'
import type { Palette } from './usePalette'

/** The fill and text colours, and the colour index of each row. */
export type Paint = { fills: readonly string[]; inks: readonly string[]; of: (row: number) => number; /** Whether boxes of a colour are hatched. */ isHatched?: (colour: number) => boolean }

/** Colours by kind of code, and by subsystem of the kernel. */
export function paintByKind(graph: Graph, palette: Palette): Paint {
  const { colour } = graph
  const { frame } = graph.columns
  const fills = kindColours(palette.isDark)
  return { fills, inks: fills.map(() => palette.ink), of: (row) => colour[frame[row] ?? 0] ?? 0, isHatched: (at) => hueAt(at) === 'nameless' }
}

/** Highlights search matches. */
export function paintByMatch(graph: Graph, match: Match, palette: Palette): Paint {
  return { fills: [palette.faint, palette.match], inks: [palette.ink, palette.matchInk], of: (row) => match.frames[graph.columns.frame[row] ?? 0] ?? 0 }
}

/** Colours by the change of a row's share from A to B. */
export function paintByChange(a: ArrayLike<number>, b: ArrayLike<number>, minDelta: number, palette: Palette): Paint {
  const fills = changeColours(palette.isDark)
  return { fills, inks: fills.map(() => palette.ink), of: (row) => changeStep({ a: a[row] ?? 0, b: b[row] ?? 0 }, minDelta) }
}

/** What the colours of a graph stand for, in legend order. */
export function huesIn(graph: Graph): Hue[] {
  const present = new Set(Array.from(new Set(graph.colour), hueAt))
  return HUES.filter((hue) => present.has(hue))
}
