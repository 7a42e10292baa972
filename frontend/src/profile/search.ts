import { type Graph, NO_ROW } from './graph'

export type Match = {
  /** One flag per frame name. */
  frames: Uint8Array
  frameCount: number
  /** Share of the whole weight that has a matching frame somewhere in its stack. */
  share: number
}

export type Search = { match: Match | null; error: string }

/** A pattern as an expression; upper case in it makes case matter. Throws what the browser says about half a pattern. */
export function expressionOf(pattern: string): RegExp {
  return new RegExp(pattern, /[A-Z]/.test(pattern.replace(/\\./g, '')) ? '' : 'i')
}

/** A pattern that finds exactly one name. */
export function exactly(name: string): string {
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}

/** Search names by regular expression. */
export function search(graph: Graph, pattern: string): Search {
  if (!pattern) return { match: null, error: '' }
  let expression: RegExp
  try {
    expression = expressionOf(pattern)
  } catch (error) {
    return { match: null, error: (error as Error).message }
  }
  const frames = Uint8Array.from(graph.columns.names, (name) => (expression.test(name) ? 1 : 0))
  return { match: { frames, frameCount: frames.reduce((sum, flag) => sum + flag, 0), share: matchedShare(graph, frames) }, error: '' }
}

/** Recursion counts once: below a matching box nothing is added again. */
function matchedShare(graph: Graph, frames: Uint8Array): number {
  let share = 0
  for (const row of outermostMatches(graph, frames)) share += graph.width[row] ?? 0
  return Math.min(1, share)
}

/** Matching boxes without one among their callers, from left to right. */
export function outermostMatches(graph: Graph, frames: Uint8Array): number[] {
  const rows: number[] = []
  let row = 0
  while (row < graph.size) {
    if (frames[graph.columns.frame[row] ?? 0]) {
      rows.push(row)
      row = graph.end[row] || row + 1
    } else row++
  }
  return rows
}

/** The match after (`by` 1) or before (-1) `row`, around the ends; the widest one from nowhere. */
export function nextMatch(graph: Graph, frames: Uint8Array, row: number, by: 1 | -1): number {
  const matches = outermostMatches(graph, frames)
  if (matches.length === 0) return NO_ROW
  if (row === NO_ROW) return matches.reduce((best, at) => ((graph.width[at] ?? 0) > (graph.width[best] ?? 0) ? at : best))
  if (by === 1) return matches.find((at) => at > row) ?? (matches[0] as number)
  return matches.findLast((at) => at < row && (graph.end[at] ?? 0) <= row) ?? matches.findLast((at) => at < row) ?? (matches.at(-1) as number)
}
