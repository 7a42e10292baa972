import { asKind, changeColours, changeStep, type Graph, kindColours, KINDS, type Kind, type Match } from '../../profile'
import type { Palette } from './usePalette'

/** Which of a few colours each box takes. */
export type Paint = { fills: readonly string[]; inks: readonly string[]; of: (row: number) => number }

/** By what a frame is made of. */
export function paintByKind(graph: Graph, palette: Palette): Paint {
  const { colour } = graph
  const { frame } = graph.columns
  const fills = kindColours(palette.isDark)
  return { fills, inks: fills.map(() => palette.ink), of: (row) => colour[frame[row] ?? 0] ?? 0 }
}

/** What was searched for stands out from all the rest. */
export function paintByMatch(graph: Graph, match: Match, palette: Palette): Paint {
  return { fills: [palette.faint, palette.found], inks: [palette.ink, palette.foundInk], of: (row) => match.frames[graph.columns.frame[row] ?? 0] ?? 0 }
}

/** By the change of a box's share from A to B. */
export function paintByChange(a: ArrayLike<number>, b: ArrayLike<number>, least: number, palette: Palette): Paint {
  const fills = changeColours(palette.isDark)
  return { fills, inks: fills.map(() => palette.ink), of: (row) => changeStep({ a: a[row] ?? 0, b: b[row] ?? 0 }, least) }
}

export function kindsIn(graph: Graph): Kind[] {
  const seen = new Set(graph.columns.kinds.map(asKind))
  return KINDS.filter((kind) => seen.has(kind))
}
