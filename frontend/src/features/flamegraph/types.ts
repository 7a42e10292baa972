import type { Selection, StackOrder } from '../../api'
import { type Graph, stackOf, type WidthBy } from '../../profile'

/** A condition that cites nodes of the profile on screen. */
export type ClauseNodes = { findingId: string; finding: string; clauseId: string; label: string; nodes: ReadonlySet<number> }

/** The source browser for the kernel version of the evidence. */
export type Source = { tag: string; linkTo: (name: string) => string }

export const LOOKS = ['flame', 'icicle', 'time', 'sandwich', 'table', 'lanes', 'diff', 'numbers'] as const
export type GraphLook = (typeof LOOKS)[number]

export type LaneKey = 'cpu' | 'thread' | 'all'
export type SpanKey = 'thread' | 'leaf' | 'stack'
export type TableOrder = 'self' | 'total' | 'name'

/** The state of the graph that is in the URL; nodes are the server's ids. */
export type GraphState = {
  look: GraphLook
  order: StackOrder
  inverted: boolean
  q: string
  zoom: number | null
  /** Without a zoom the whole graph, rather than the part that it opens on. */
  isWhole: boolean
  /** Whether frames of user space without symbols are shown apart. */
  showsNameless: boolean
  node: number | null
  isWide: boolean
  /** Filters of the samples, and options of their stacks. */
  selection: Selection
  /** The function of the sandwich view. */
  of: string
  lanes: LaneKey | null
  spans: SpanKey
  /** The key of the selected span; see `spanKey`. */
  span: string | null
  /** The baseline profile, and its time range in seconds. */
  base: string | null
  baseFrom: number | null
  baseTo: number | null
  /** A comparison omits changes below this share of the total. */
  leastDelta: number
  /** The width of boxes in a comparison. */
  widthBy: WidthBy
  /** Sort order and offset of the table. */
  sort: TableOrder
  offset: number
  /** Keys of the selected and zoomed row in views whose rows are not nodes; each view has its own format. */
  at: string | null
  into: string | null
  /** The function whose cases are listed, or empty. */
  casesOf: string
  /** Pinned stacks, ranges and threads; see `pin.ts`. */
  pins: readonly string[]
}

/** The default minimum change of a comparison, as a share of the total. */
export const LEAST_DELTA = 0.005

/** The default state. */
export const NO_GRAPH_STATE: GraphState = {
  look: 'flame',
  order: 'left-heavy',
  inverted: false,
  q: '',
  zoom: null,
  isWhole: false,
  showsNameless: false,
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

/** Separates frame names in a stack. */
export const STACK_SEPARATOR = ';'

/** The stack of a row, outermost caller first, one frame per line. */
export function pathText(graph: Graph, row: number): string {
  return stackOf(graph, row).join('\n')
}

/** Whether a selection has no filter. */
export function isEverything(selection: Selection): boolean {
  return Object.values(selection).every((value) => value === undefined || (Array.isArray(value) && value.length === 0))
}
