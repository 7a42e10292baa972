import type { Selection, StackOrder } from '../../api'
import { type Graph, stackOf, type WidthBy } from '../../profile'

/** A condition that cites nodes of the profile on screen. */
export type ClauseNodes = { findingId: string; finding: string; clauseId: string; words: string; nodes: ReadonlySet<number> }

/** Where functions of the kernel that the evidence comes from are read. */
export type Source = { tag: string; linkTo: (name: string) => string }

export const LOOKS = ['flame', 'icicle', 'time', 'sandwich', 'table', 'lanes', 'diff', 'numbers'] as const
export type GraphLook = (typeof LOOKS)[number]

export type LaneKey = 'cpu' | 'thread' | 'all'
export type SpanKey = 'thread' | 'leaf' | 'stack'
export type TableOrder = 'self' | 'total' | 'name'

/** What of the graph stands in the address of the page; nodes are the server's ids. */
export type GraphState = {
  look: GraphLook
  order: StackOrder
  inverted: boolean
  q: string
  zoom: number | null
  node: number | null
  isWide: boolean
  /** Which samples count, and how their stacks are shaped. */
  selection: Selection
  /** The function in the middle of a sandwich. */
  of: string
  lanes: LaneKey | null
  spans: SpanKey
  /** The box of a lane that is selected. */
  span: string | null
  /** The profile that this one is compared with, and the part of its time. */
  base: string | null
  baseFrom: number | null
  baseTo: number | null
  /** Changes below this share of the whole are left out of a comparison. */
  leastDelta: number
  /** What the boxes of a comparison are as wide as. */
  widthBy: WidthBy
  /** How the table is sorted, and how many functions stand before its first. */
  sort: TableOrder
  offset: number
  /** What is selected, and what is zoomed into, where rows are no nodes: each view has words of its own for it. */
  at: string | null
  into: string | null
  /** The function whose cases are listed. */
  casesOf: string
  /** Stacks, times and threads that somebody pinned; see `pinned.ts`. */
  pins: readonly string[]
}

/** Changes smaller than this are hidden in a comparison unless somebody asks for them. */
export const LEAST_DELTA = 0.005

/** Nothing chosen. */
export const NO_GRAPH_STATE: GraphState = {
  look: 'flame',
  order: 'left-heavy',
  inverted: false,
  q: '',
  zoom: null,
  node: null,
  isWide: false,
  selection: {},
  of: '',
  lanes: null,
  spans: 'thread',
  span: null,
  base: null,
  baseFrom: null,
  baseTo: null,
  leastDelta: LEAST_DELTA,
  widthBy: 'both',
  sort: 'self',
  offset: 0,
  at: null,
  into: null,
  casesOf: '',
  pins: [],
}

/** How names are put one after the other where a stack is one text. */
export const STACK_SEPARATOR = ';'

/** From the outermost caller inwards, one frame a line. */
export function pathText(graph: Graph, row: number): string {
  return stackOf(graph, row).join('\n')
}

export function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))
}
