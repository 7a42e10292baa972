import { expect, it } from 'vitest'
import { columnsFromText } from './example'
import { nameOf } from './graph'
import { changedFunctions, type DifferenceColumns, differenceGraph } from './merged'

const gone = (weights: number[], nodes: number[]) => nodes.map((node, row) => (weights[row] ? node : -1))

/** Lines of `stack a b`: what each stack weighs in A and in B. */
function joined(text: string): DifferenceColumns {
  const lines = text.trim().split('\n').map((line) => line.trim().split(' '))
  const of = (at: number) => columnsFromText(lines.map((line) => `${line[0]} ${line[at]}`).join('\n'))
  const [a, b] = [of(1), of(2)]
  return {
    event: 'cycles', total_a: a.total_weight, total_b: b.total_weight, names: a.names, kinds: a.kinds, depth: a.depth, frame: a.frame, pruned_nodes: 0,
    weight_a: a.total, weight_b: b.total, self_a: a.self, self_b: b.self, node_a: gone(a.total, a.node), node_b: gone(b.total, b.node),
  }
}

const both = joined(`
  main;read 1 30
  main;old 1 0
  main;new 0 70
`)

it('compares shares, not weights: two recordings are never equally long', () => {
  const { graph, a, b } = differenceGraph(both, 'both')
  const told = [...a].map((share, row) => [nameOf(graph, row), share, b[row]])
  expect(told).toEqual([['main', 1, 1], ['read', 0.5, 0.3], ['old', 0.5, 0], ['new', 0, 0.7]])
})

it('gives room to what is only in one of them', () => {
  const { graph } = differenceGraph(both, 'both')
  expect([...graph.width]).toEqual([1, 0.4, 0.25, 0.35])
  expect([...differenceGraph(both, 'b').graph.width]).toEqual([1, 0.3, 0, 0.7])
})

it('numbers every row once, whichever profile it comes from', () => {
  expect(new Set(differenceGraph(both, 'both').graph.columns.node).size).toBe(4)
})

it('names the functions that changed most', () => {
  expect(changedFunctions(differenceGraph(both, 'both')).map(({ name }) => name)).toEqual(['new', 'old', 'read'])
})
