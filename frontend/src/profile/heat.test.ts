import { describe, expect, it } from 'vitest'
import { cellAt, cellLevel, cellOf, countBetween, heatColours, heatLevel, type Heat, offsetCell, rangeBetween, shareBetween } from './heat'

/** A heat map from text: columns are seconds, which start at the bottom. */
function heatFromText(text: string, duration_s: number): Heat {
  const lines = text.trim().split('\n').map((line) => line.trim().split(/\s+/).map(Number))
  const [rows, columns] = [lines.length, lines[0]?.length ?? 0]
  const counts = Array.from({ length: columns * rows }, (_, at) => lines[rows - 1 - (at % rows)]?.[Math.floor(at / rows)] ?? 0)
  return { columns, rows, column_seconds: 1, row_seconds: 1 / rows, duration_s, counts, max: Math.max(...counts) }
}

const heat = heatFromText(
  `
  0 0 4
  0 9 0
  1 0 0
  7 0 0
  `,
  2.9,
)

describe('a heat map', () => {
  it('starts seconds at the bottom left', () => {
    expect(cellAt(heat, 0.01, 0.99)).toEqual({ column: 0, row: 0 })
    expect(cellAt(heat, 0.99, 0.01)).toEqual({ column: 2, row: 3 })
  })

  it('converts a brush in either direction into a time range', () => {
    const [from, to] = [{ column: 0, row: 1 }, { column: 1, row: 2 }]
    expect(rangeBetween(heat, from, to)).toEqual({ t0: 0.25, t1: 1.75 })
    expect(rangeBetween(heat, to, from)).toEqual({ t0: 0.25, t1: 1.75 })
  })

  it('limits a range to the recording', () => {
    expect(rangeBetween(heat, { column: 2, row: 0 }, { column: 2, row: 3 })).toEqual({ t0: 2, t1: 2.9 })
  })

  it('finds the cell of a time and its neighbours', () => {
    expect(cellOf(heat, 1.75)).toEqual({ column: 1, row: 3 })
    expect(offsetCell(heat, { column: 0, row: 3 }, 1)).toEqual({ column: 1, row: 0 })
    expect(offsetCell(heat, { column: 0, row: 0 }, -1)).toEqual({ column: 0, row: 0 })
  })

  it('counts the samples between two cells', () => {
    expect(countBetween(heat, { column: 1, row: 2 }, { column: 0, row: 1 })).toBe(10)
  })

  it('draws the share of a node, so that a busy recording has a pattern', () => {
    const busy = { ...heat, counts: Array.from(heat.counts, () => 10), max: 10, part: Array.from(heat.counts, (_, at) => (at === 2 ? 10 : 0)) }
    expect([cellLevel(busy, 1), cellLevel(busy, 2)]).toEqual([0, heatColours(true).length - 1])
    expect(shareBetween(busy, { column: 0, row: 0 }, { column: 0, row: 3 })).toBe(0.25)
    expect(shareBetween(heat, { column: 0, row: 0 }, { column: 0, row: 3 })).toBeNull()
  })

  it('draws a single sample at level 1', () => {
    expect([heatLevel(0, 1000), heatLevel(1, 1000), heatLevel(1000, 1000)]).toEqual([0, 1, heatColours(true).length - 1])
  })
})
