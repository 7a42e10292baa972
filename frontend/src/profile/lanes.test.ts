import { describe, expect, it } from 'vitest'
import { commColour, type LaneColumns, laneOf, NO_SPAN, spanAt, spanKey, spanOfKey, stepSpan } from './lanes'

/** Lanes from text, one line per lane; a letter is a sample of that thread, a dot no sample. */
function lanesFromText(text: string): LaneColumns {
  const lines = text.trim().split('\n').map((line) => line.trim())
  const columns = { lanes: [] as LaneColumns['lanes'][number][], start: [] as number[], duration: [] as number[], samples: [] as number[], thread: [] as number[], from: 0, to: lines[0]?.length ?? 0 }
  for (const [at, line] of lines.entries()) {
    const runs = [...line.matchAll(/([a-z])\1*/g)]
    columns.lanes.push({ label: `CPU ${at}`, samples: line.replaceAll('.', '').length, spans: runs.length })
    for (const run of runs) {
      columns.start.push(run.index)
      columns.duration.push(run[0].length)
      columns.samples.push(run[0].length)
      columns.thread.push((run[1] ?? 'a').charCodeAt(0) - 97)
    }
  }
  return columns
}

const lanes = lanesFromText(`
  aaa..bb.a
  .........
  ....cccc.
`)

describe('lanes', () => {
  it('identify a span by its lane and start', () => {
    expect([0, 1, 2, 3].map((span) => spanKey(lanes, span))).toEqual(['CPU 0@0', 'CPU 0@5', 'CPU 0@8', 'CPU 2@4'])
    expect(['CPU 0@5', 'CPU 2@4', 'CPU 0@6', 'CPU 7@0', 'nonsense', null].map((key) => spanOfKey(lanes, key))).toEqual([1, 3, NO_SPAN, NO_SPAN, NO_SPAN, NO_SPAN])
    expect(spanKey(lanes, NO_SPAN)).toBeNull()
  })

  it('find the span at a position, and none between spans', () => {
    expect([spanAt(lanes, 0, 1), spanAt(lanes, 0, 5.5), spanAt(lanes, 0, 4)]).toEqual([0, 1, NO_SPAN])
    expect(spanAt(lanes, 1, 3, Infinity)).toBe(NO_SPAN)
  })

  it('find a span within reach of the pointer', () => {
    expect(spanAt(lanes, 0, 7.8, 0.5)).toBe(2)
    expect(spanAt(lanes, 0, 4.9, 0.5)).toBe(1)
  })

  it('are navigable by arrows, across empty lanes and not past the ends', () => {
    expect([stepSpan(lanes, NO_SPAN, 'after'), stepSpan(lanes, 0, 'after'), stepSpan(lanes, 2, 'after'), stepSpan(lanes, 0, 'before')]).toEqual([0, 1, 2, 0])
    expect(stepSpan(lanes, 1, 'below')).toBe(3)
    expect([stepSpan(lanes, 3, 'above'), stepSpan(lanes, 3, 'below')]).toEqual([1, 3])
    expect(laneOf(lanes, 3)).toBe(2)
  })

  it('colour commands consistently, kernel threads by kind, idle grey', () => {
    expect(commColour('ksoftirqd/11')).toBe(commColour('ksoftirqd/3'))
    expect(commColour('kworker/u8:2-events')).toBe(commColour('kworker/0:1'))
    expect([commColour('swapper'), commColour('swapper/3')]).toEqual([0, 0])
  })
})
