import type { WaitGraph, WaitNode } from '../../api'

/** No node. */
export const NONE = -1

type Positions = Pick<WaitGraph, 'links'> & { nodes: readonly Pick<WaitNode, 'x' | 'y' | 'layer'>[] }

/** The node that an arrow key moves to: left to a blocker, right to a waiter, up and down in the layer; `NONE` without one. */
export function neighbour(graph: Positions, from: number, key: string): number {
  const here = graph.nodes[from]
  if (!here) return graph.nodes.length > 0 ? 0 : NONE
  if (key === 'ArrowLeft') return nearest(graph, from, graph.links.flatMap(({ source, target }) => (target === from ? source : [])))
  if (key === 'ArrowRight') return nearest(graph, from, graph.links.flatMap(({ source, target }) => (source === from ? target : [])))
  const layer = graph.nodes.flatMap(({ layer: of }, at) => (of === here.layer ? at : [])).toSorted((a, b) => (graph.nodes[a]?.y ?? 0) - (graph.nodes[b]?.y ?? 0))
  const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
  return step === 0 ? NONE : (layer[layer.indexOf(from) + step] ?? NONE)
}

function nearest(graph: Positions, from: number, choices: readonly number[]): number {
  const y = graph.nodes[from]?.y ?? 0
  const distance = (at: number) => Math.abs((graph.nodes[at]?.y ?? 0) - y)
  return choices.toSorted((a, b) => distance(a) - distance(b))[0] ?? NONE
}

/** The node that cites a line of the evidence: the one that starts closest above it; `NONE` without one. */
export function nodeAtLine(nodes: readonly WaitNode[], evidenceId: string | undefined, line: number | null): number {
  if (evidenceId === undefined || line === null) return NONE
  let [found, first] = [NONE, 0]
  for (const [at, { citations }] of nodes.entries()) {
    for (const place of citations) {
      if (place.evidence_id === evidenceId && place.first_line <= line && line <= place.last_line && place.first_line > first) [found, first] = [at, place.first_line]
    }
  }
  return found
}
