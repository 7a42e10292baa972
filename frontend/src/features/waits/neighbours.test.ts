import { expect, it } from 'vitest'
import type { WaitLink, WaitNode } from '../../api'
import { neighbour, NONE, nodeAtLine } from './neighbours'

const place = (first: number, last: number) => ({ evidence_id: 'e1', evidence: 'dmesg.txt', section: 0, first_line: first, last_line: last })
const node = (x: number, y: number, layer: number, first: number, last: number): WaitNode => ({
  x, y, layer, kind: 'cluster', label: `${first}`, note: '', count: 1, members: [], frames: [], is_root: layer === 0, citations: first > 0 ? [place(first, last)] : [],
})
const link = (source: number, target: number): WaitLink => ({ source, target, label: '', certainty: 'inferred', reason: '', path: '', citations: [] })
// A root with two waiters, the lower of which blocks a third.
const graph = { nodes: [node(0, 40, 0, 0, 0), node(100, 0, 1, 10, 30), node(100, 60, 1, 40, 60), node(200, 30, 2, 15, 20)], links: [link(0, 1), link(0, 2), link(2, 3)] }

it('moves left to a blocker, right to a waiter, and up and down in a layer', () => {
  expect(neighbour(graph, 0, 'ArrowRight')).toBe(2)
  expect(neighbour(graph, 2, 'ArrowUp')).toBe(1)
  expect(neighbour(graph, 1, 'ArrowUp')).toBe(NONE)
  expect(neighbour(graph, 3, 'ArrowLeft')).toBe(2)
  expect(neighbour(graph, 1, 'Tab')).toBe(NONE)
})

it('starts at the first node, and nowhere in an empty graph', () => {
  expect(neighbour(graph, NONE, 'ArrowRight')).toBe(0)
  expect(neighbour({ nodes: [], links: [] }, NONE, 'ArrowRight')).toBe(NONE)
})

it('finds the node that cites a line, the closest above it', () => {
  expect(nodeAtLine(graph.nodes, 'e1', 45)).toBe(2)
  expect(nodeAtLine(graph.nodes, 'e1', 17)).toBe(3)
  expect(nodeAtLine(graph.nodes, 'e1', 35)).toBe(NONE)
  expect(nodeAtLine(graph.nodes, 'e2', 45)).toBe(NONE)
  expect(nodeAtLine(graph.nodes, undefined, 45)).toBe(NONE)
})
