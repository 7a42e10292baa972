import { type Graph, NO_ROW } from './graph'

export type Match = {
  /** One flag per frame name. */
  frames: Uint8Array
  frameCount: number
  /** Share of the total weight with a matching frame anywhere in the stack. */
  share: number
}

export type Search = { match: Match | null; error: string }

/** Compiles a pattern with smart case. Throws a SyntaxError when it is invalid. */
export function expressionOf(pattern: string): RegExp {
  return new RegExp(pattern, /[A-Z]/.test(pattern.replace(/\\./g, '')) ? '' : 'i')
}

/** A pattern that matches exactly one name. */
export function exactly(name: string): string {
  return `^${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`
}

/** Searches frame names by regular expression; an invalid pattern is returned as `error`. */
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

/** The share below outermost matches, so that recursion counts once. */
function matchedShare(graph: Graph, frames: Uint8Array): number {
  let share = 0
  for (const row of outermostMatches(graph, frames)) share += graph.width[row] ?? 0
  return Math.min(1, share)
}

/** Matching rows without a matching caller, from left to right. */
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

/** The share of the total below any of the rows, in any order; a row below another one counts once. */
export function shareOfRows(graph: Graph, rows: readonly number[]): number {
  let share = 0
  let end = -1
  for (const row of rows.toSorted((a, b) => a - b)) {
    if (row < end) continue
    share += graph.width[row] ?? 0
    end = graph.end[row] || row + 1
  }
  return Math.min(1, share)
}

/** The next (`by` 1) or previous (-1) match, cyclic; the widest match without a current row. */
export function nextMatch(graph: Graph, frames: Uint8Array, row: number, by: 1 | -1): number {
  const matches = outermostMatches(graph, frames)
  if (matches.length === 0) return NO_ROW
  if (row === NO_ROW) return matches.reduce((best, at) => ((graph.width[at] ?? 0) > (graph.width[best] ?? 0) ? at : best))
  if (by === 1) return matches.find((at) => at > row) ?? (matches[0] as number)
  return matches.findLast((at) => at < row && (graph.end[at] ?? 0) <= row) ?? matches.findLast((at) => at < row) ?? (matches.at(-1) as number)
}
