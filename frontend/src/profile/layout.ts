import { type Graph, depthOf } from './graph'

/** The part of the graph on screen: a slice of its width, and a slice of its depths (`last` excluded). */
export type Window = { from: number; to: number; firstDepth: number; lastDepth: number }

/** One drawn rectangle. `start` and `width` are fractions of the window, 0 to 1, and may reach beyond it. */
export type Box = { row: number; depth: number; start: number; width: number }

/**
 * The rectangles of `window` that are at least `minWidth` of it wide.
 *
 * Preorder lets a whole subtree be stepped over at once: below a box that is too narrow, out of sight or too
 * deep nothing can be seen.
 */
export function boxesIn(graph: Graph, window: Window, minWidth: number): Box[] {
  const span = window.to - window.from || 1
  const boxes: Box[] = []
  let row = 0
  while (row < graph.size) {
    const start = ((graph.start[row] ?? 0) - window.from) / span
    const width = (graph.width[row] ?? 0) / span
    const depth = depthOf(graph, row)
    if (width < minWidth || start >= 1 || start + width <= 0 || depth >= window.lastDepth) {
      row = graph.end[row] || row + 1
      continue
    }
    if (depth >= window.firstDepth) boxes.push({ row, depth, start, width })
    row++
  }
  return boxes
}

/** The row drawn at `depth` over the place `at` (a fraction of the whole graph), or -1. */
export function rowAt(graph: Graph, at: number, depth: number): number {
  let row = 0
  while (row < graph.size) {
    const start = graph.start[row] ?? 0
    const isOver = at >= start && at < start + (graph.width[row] ?? 0)
    if (!isOver) {
      row = graph.end[row] || row + 1
      continue
    }
    if (depthOf(graph, row) === depth) return row
    row++
  }
  return -1
}
