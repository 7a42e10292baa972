export { DiffView } from './DiffView'
export { FlameGraphPanel } from './FlameGraphPanel'
export { onlySource } from './source'
export type { ClauseNodes, GraphLook, GraphState, LaneKey, SpanKey } from './types'
