import { type Graph, depthOf } from './graph'

/** The visible part of the graph: a range of its width, and a range of depths (`lastDepth` excluded). */
export type Window = { from: number; to: number; firstDepth: number; lastDepth: number }

/**
 * One drawn rectangle. `start` and `width` are fractions of the window, 0 to 1, and may exceed it.
 *
 * `count` is the number of rows it represents: neighbours too narrow to draw are merged into one box.
 */
export type Box = { row: number; depth: number; start: number; width: number; count: number }

/**
 * The rectangles of `window` with a width of at least `minWidth`; narrower neighbours are merged.
 *
 * Skips the whole subtree of a row that is too narrow, outside the window or too deep.
 */
export function boxesIn(graph: Graph, window: Window, minWidth: number): Box[] {
  const { start: starts, width: widths, end } = graph
  const span = window.to - window.from || 1
  const boxes: Box[] = []
  const runs: ({ box: Box; isDrawn: boolean } | undefined)[] = []
  let row = 0
  while (row < graph.size) {
    const start = ((starts[row] ?? 0) - window.from) / span
    const width = (widths[row] ?? 0) / span
    const depth = depthOf(graph, row)
    if (start >= 1 || start + width <= 0 || depth >= window.lastDepth) {
      row = end[row] || row + 1
      continue
    }
    if (width < minWidth) {
      if (depth >= window.firstDepth) {
        let run = runs[depth]
        if (run && start - (run.box.start + run.box.width) < minWidth / 2) {
          run.box.width = start + width - run.box.start
          run.box.count++
        } else run = runs[depth] = { box: { row, depth, start, width, count: 1 }, isDrawn: false }
        if (!run.isDrawn && run.box.width >= minWidth) {
          boxes.push(run.box)
          run.isDrawn = true
        }
      }
      row = end[row] || row + 1
      continue
    }
    if (depth >= window.firstDepth) boxes.push({ row, depth, start, width, count: 1 })
    row++
  }
  return boxes
}

/** The row at `depth` and the horizontal position `at` (a fraction of the whole graph), or -1. */
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
