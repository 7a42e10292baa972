export { DiffView } from './DiffView'
export { FlameGraphPanel } from './FlameGraphPanel'
export { onlySource } from './source'
export { type ClauseNodes, type GraphLook, type GraphState, LEAST_DELTA, type LaneKey, NO_GRAPH_STATE, type SpanKey, type TableOrder } from './types'
