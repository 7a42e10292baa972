import { describe, expect, it } from 'vitest'
import { columnsFromText, graphFromText } from './example'
import { bytes, share, weight } from './format'
import { graft } from './graft'
import { citedAtOrAbove, indexGraph, nameOf, pathTo, rowOfNode, rowOfStack, rowsOfNodes } from './graph'
import { frameColour } from './kinds'
import { boxesIn, rowAt } from './layout'
import { step } from './navigate'
import { exactly, nextMatch, search } from './search'
import { boxWeights } from './boxWeights'

const whole = { from: 0, to: 1, firstDepth: 0, lastDepth: 100 }
const namesOf = (graph: ReturnType<typeof graphFromText>, rows: number[]) => rows.map((row) => nameOf(graph, row))

describe('a graph', () => {
  it('places each callee after the ones before it, inside its caller', () => {
    const graph = graphFromText('main;read 3\nmain;write 1')
    expect([...graph.start]).toEqual([0, 0, 0.75])
    expect([...graph.width]).toEqual([1, 0.75, 0.25])
  })

  it('places outermost frames side by side', () => {
    const graph = graphFromText('a;x 1\nb 3')
    expect([...graph.start]).toEqual([0, 0, 0.25])
    expect([...graph.parent]).toEqual([-1, 0, -1])
  })

  it('leaves a gap for pruned callees', () => {
    const columns = columnsFromText('main;read 3\nmain;write 1')
    columns.total[0] = 8
    columns.total_weight = 8
    const graph = indexGraph(columns)
    expect([...graph.start]).toEqual([0, 0, 0.375])
  })

  it('has the same layout when depths start above zero', () => {
    const columns = columnsFromText('main;read 3\nmain;write 1')
    columns.depth = columns.depth.map((depth) => depth + 7)
    expect([...indexGraph(columns).start]).toEqual([0, 0, 0.75])
  })

  it('uses explicit starts, with gaps between rows', () => {
    const columns = { ...columnsFromText('main;read 1\nmain;write 1'), total_weight: 4, start: [1, 1, 3] }
    columns.total[0] = 3
    expect([...indexGraph(columns).start]).toEqual([0.25, 0.25, 0.75])
  })

  it('returns the path to a frame and the cited nodes on it', () => {
    const graph = graphFromText('main;read;copy 3\nmain;write 1')
    expect(namesOf(graph, pathTo(graph, 2))).toEqual(['main', 'read', 'copy'])
    expect(citedAtOrAbove(graph, 2, new Set([101, 103]))).toEqual([101])
    expect(citedAtOrAbove(graph, 2, new Set([102]))).toEqual([102])
  })
})

describe('the layout', () => {
  it('omits narrow boxes with their subtrees', () => {
    const graph = graphFromText('main;tiny;below 1\nmain;wide 999')
    expect(namesOf(graph, boxesIn(graph, whole, 0.01).map((box) => box.row))).toEqual(['main', 'wide'])
  })

  it('merges narrow neighbours into one box', () => {
    const graph = graphFromText('main;a 2\nmain;b 2\nmain;c 2\nmain;wide 94')
    const boxes = boxesIn(graph, whole, 0.03).filter(({ depth }) => depth === 1)
    expect(boxes.map(({ row, count, width }) => [nameOf(graph, row), count, Number(width.toFixed(2))])).toEqual([['a', 3, 0.06], ['wide', 1, 0.94]])
  })

  it('draws narrow boxes after zooming in', () => {
    const graph = graphFromText('main;tiny;below 1\nmain;wide 999')
    const boxes = boxesIn(graph, { ...whole, to: 0.001 }, 0.01)
    expect(namesOf(graph, boxes.map((box) => box.row))).toEqual(['main', 'tiny', 'below'])
    expect(boxes[1]).toMatchObject({ start: 0, width: 1 })
  })

  it('draws only the depths on screen', () => {
    const graph = graphFromText('a;b;c;d 1')
    expect(namesOf(graph, boxesIn(graph, { ...whole, firstDepth: 1, lastDepth: 3 }, 0).map((box) => box.row))).toEqual(['b', 'c'])
  })

  it('finds the frame under the pointer', () => {
    const graph = graphFromText('main;read 3\nmain;write 1')
    expect(nameOf(graph, rowAt(graph, 0.8, 1))).toBe('write')
    expect(rowAt(graph, 0.8, 2)).toBe(-1)
  })

  it('visits few of 1.4 million rows for one screen frame', () => {
    // 1,000 callees of the root, each with 14 of 100 leaves: all but the first two levels are narrower than a pixel.
    const [children, branches, leaves] = [1_000, 14, 100]
    const size = 1 + children * (1 + branches * (1 + leaves))
    const [depth, self, total] = [new Int32Array(size), new Float64Array(size), new Float64Array(size)]
    total[0] = children * branches * leaves
    let row = 1
    const append = (at: number, below: number) => {
      depth[row] = at
      total[row++] = below
    }
    for (let child = 0; child < children; child++) {
      append(1, branches * leaves)
      for (let branch = 0; branch < branches; branch++) {
        append(2, leaves)
        for (let leaf = 0; leaf < leaves; leaf++) {
          self[row] = 1
          append(3, 1)
        }
      }
    }
    const graph = indexGraph({ event: '', unit: 'samples', total_weight: total[0] ?? 0, total_samples: total[0] ?? 0, names: ['f'], kinds: ['user'], depth, frame: new Int32Array(size), self, node: Int32Array.from(depth.keys()), total, pruned_nodes: 0 })
    let visited = 0
    const start = new Proxy(graph.start, {
      get: (rows, key) => {
        visited++
        return Reflect.get(rows, key) as unknown
      },
    })
    boxesIn({ ...graph, start }, whole, 0.5 / 1_280)
    expect(graph.size).toBe(1_415_001)
    expect(visited).toBeLessThan(16_000)
  })
})

describe('a row', () => {
  const graph = graphFromText('main;read;copy 3\nmain;write 1')

  it('is found by node id, alone and among many', () => {
    expect([rowOfNode(graph, 103), rowOfNode(graph, 7)]).toEqual([3, -1])
    expect(rowsOfNodes(graph, new Set([103, 101, 7]))).toEqual([1, 3])
  })

  it('is found by the names of its stack', () => {
    expect(rowOfStack(graph, ['main', 'read', 'copy'])).toBe(2)
    expect(rowOfStack(graph, ['main', 'copy'])).toBe(-1)
  })
})

describe('search', () => {
  it('cycles through matches, starting at the widest', () => {
    const graph = graphFromText('a;lock 1\nb;lock 3\nc 1\nd;lock 2')
    const { frames } = search(graph, exactly('lock')).match ?? { frames: new Uint8Array() }
    expect(nextMatch(graph, frames, -1, 1)).toBe(3)
    expect([nextMatch(graph, frames, 3, 1), nextMatch(graph, frames, 6, 1), nextMatch(graph, frames, 3, -1), nextMatch(graph, frames, 1, -1)]).toEqual([6, 1, 1, 6])
  })

  it('has no next match without matches', () => {
    expect(nextMatch(graphFromText('a 1'), new Uint8Array(1), -1, 1)).toBe(-1)
  })

  it('computes the share of weight with a match anywhere in the stack', () => {
    expect(search(graphFromText('main;read 3\nmain;write 1'), '^read$').match?.share).toBe(0.75)
  })

  it('counts recursion once', () => {
    expect(search(graphFromText('main;fib;fib;fib 3\nmain;other 1'), 'fib').match?.share).toBe(0.75)
  })

  it('uses smart case', () => {
    const graph = graphFromText('main;LockSlow 1\nmain;lockslow 1')
    expect(search(graph, 'lockslow').match?.frameCount).toBe(2)
    expect(search(graph, 'LockSlow').match?.frameCount).toBe(1)
  })

  it('returns the error of an invalid pattern', () => {
    expect(search(graphFromText('main 1'), '(')).toMatchObject({ match: null, error: expect.stringContaining('nterminated') })
  })
})

describe('the weights of a box', () => {
  it('computes the shares of a box', () => {
    expect(boxWeights(graphFromText('main;read 3\nmain 1'), 0)).toMatchObject({ self: 1, total: 4, selfShare: 0.25, totalShare: 1, samples: 4 })
  })
})

describe('the keyboard', () => {
  const graph = graphFromText('main;read;copy 1\nmain;write 3')

  it('goes to the widest callee and back to the caller', () => {
    expect(nameOf(graph, step(graph, 0, 'callee'))).toBe('write')
    expect(nameOf(graph, step(graph, 3, 'caller'))).toBe('main')
  })

  it('goes to the neighbours and stays at the edge', () => {
    expect(nameOf(graph, step(graph, 3, 'previous'))).toBe('read')
    expect(nameOf(graph, step(graph, 3, 'next'))).toBe('write')
  })

  it('starts at the widest outermost frame', () => {
    expect(nameOf(graph, step(graph, -1, 'callee'))).toBe('main')
  })
})

describe('colours and numbers', () => {
  it('gives a name the same colour in every graph, and kinds different hues', () => {
    expect(frameColour('read', 'kernel', false)).toBe(frameColour('read', 'kernel', false))
    expect(frameColour('read', 'kernel', false)).not.toBe(frameColour('read', 'user', false))
  })

  it('does not round a small share to zero', () => {
    expect([share(0), share(0.0001), share(0.1824), share(1)]).toEqual(['0.0 %', '< 0.1 %', '18.2 %', '100 %'])
  })

  it('formats a cpu-clock period as time', () => {
    expect(weight(2.5e9, 'period:cpu-clock:ppp')).toBe('2.5 s')
    expect(weight(1234, 'samples')).toBe('1,234 samples')
    expect(bytes(1536)).toBe('1.5 KiB')
  })
})

describe('a subtree loaded later', () => {
  it('replaces the pruned subtree and preserves other rows', () => {
    const full = columnsFromText('main;read;copy 3\nmain;write 1')
    const pruned = columnsFromText('main;read 3\nmain;write 1')
    pruned.node = [100, 101, 103]
    pruned.pruned_nodes = 1
    const subtree = { ...full, depth: [0, 1], frame: [1, 2], self: [0, 3], node: [101, 102], total: [3, 3] }
    const grafted = graft(pruned, 1, subtree)
    expect(namesOf(indexGraph(grafted), [0, 1, 2, 3])).toEqual(['main', 'read', 'copy', 'write'])
    expect([[...grafted.depth as Float64Array], [...grafted.total as Float64Array], grafted.pruned_nodes]).toEqual([[0, 1, 2, 1], [4, 3, 3, 1], 0])
  })

  it('is ignored when its node differs', () => {
    const columns = columnsFromText('main;read 3\nmain;write 1')
    expect(graft(columns, 1, columnsFromText('other;a;b;c 3'))).toBe(columns)
  })
})
