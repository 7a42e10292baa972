import type { Graph } from './graph'

export type Match = {
  /** One flag per frame name. */
  frames: Uint8Array
  frameCount: number
  /** Share of the whole weight that has a matching frame somewhere in its stack. */
  share: number
}

export type Search = { match: Match | null; error: string }

/** Search names by regular expression; upper case in the pattern makes it matter. */
export function search(graph: Graph, pattern: string): Search {
  if (!pattern) return { match: null, error: '' }
  let expression: RegExp
  try {
    expression = new RegExp(pattern, /[A-Z]/.test(pattern.replace(/\\./g, '')) ? '' : 'i')
  } catch (error) {
    return { match: null, error: (error as Error).message }
  }
  const frames = Uint8Array.from(graph.columns.names, (name) => (expression.test(name) ? 1 : 0))
  return { match: { frames, frameCount: frames.reduce((sum, flag) => sum + flag, 0), share: matchedShare(graph, frames) }, error: '' }
}

/** Recursion counts once: below a matching box nothing is added again. */
function matchedShare(graph: Graph, frames: Uint8Array): number {
  let share = 0
  let row = 0
  while (row < graph.size) {
    if (frames[graph.columns.frame[row] ?? 0]) {
      share += graph.width[row] ?? 0
      row = graph.end[row] || row + 1
    } else row++
  }
  return Math.min(1, share)
}
