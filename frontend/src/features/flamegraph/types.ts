import type { StackOrder } from '../../api'
import { type Graph, stackOf } from '../../profile'

/** A condition that cites nodes of the profile on screen. */
export type ClauseNodes = { findingId: string; finding: string; clauseId: string; words: string; nodes: ReadonlySet<number> }

/** Where functions of the kernel that the evidence comes from are read. */
export type Source = { tag: string; linkTo: (name: string) => string }

export type GraphLook = 'flame' | 'icicle' | 'table'

/** What of the graph stands in the address of the page; nodes are the server's ids. */
export type GraphState = { look: GraphLook; order: StackOrder; inverted: boolean; q: string; zoom: number | null; node: number | null; isWide: boolean }

/** From the outermost caller inwards, one frame a line. */
export function pathText(graph: Graph, row: number): string {
  return stackOf(graph, row).join('\n')
}
