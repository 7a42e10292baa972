import { expect, it } from 'vitest'
import { columnsFromText } from './example'
import { nameOf } from './graph'
import { changedFunctions, type DifferenceColumns, differenceGraph } from './differenceGraph'

const presentNodes = (weights: number[], nodes: number[]) => nodes.map((node, row) => (weights[row] ? node : -1))

/** Columns from lines of `stack a b`: the weights of each stack in A and B. */
function columnsOf(text: string): DifferenceColumns {
  const lines = text.trim().split('\n').map((line) => line.trim().split(' '))
  const columnsAt = (at: number) => columnsFromText(lines.map((line) => `${line[0]} ${line[at]}`).join('\n'))
  const [a, b] = [columnsAt(1), columnsAt(2)]
  return {
    event: 'cycles', total_a: a.total_weight, total_b: b.total_weight, names: a.names, kinds: a.kinds, depth: a.depth, frame: a.frame, pruned_nodes: 0,
    weight_a: a.total, weight_b: b.total, self_a: a.self, self_b: b.self, node_a: presentNodes(a.total, a.node), node_b: presentNodes(b.total, b.node),
  }
}

const both = columnsOf(`
  main;read 1 30
  main;old 1 0
  main;new 0 70
`)

it('compares shares, not weights', () => {
  const { graph, a, b } = differenceGraph(both, 'both')
  const rows = [...a].map((share, row) => [nameOf(graph, row), share, b[row]])
  expect(rows).toEqual([['main', 1, 1], ['read', 0.5, 0.3], ['old', 0.5, 0], ['new', 0, 0.7]])
})

it('shows frames of only one profile', () => {
  const { graph } = differenceGraph(both, 'both')
  expect([...graph.width]).toEqual([1, 0.4, 0.25, 0.35])
  expect([...differenceGraph(both, 'b').graph.width]).toEqual([1, 0.3, 0, 0.7])
})

it('gives every row a unique node id', () => {
  expect(new Set(differenceGraph(both, 'both').graph.columns.node).size).toBe(4)
})

it('sorts functions by change', () => {
  expect(changedFunctions(differenceGraph(both, 'both')).map(({ name }) => name)).toEqual(['new', 'old', 'read'])
})
