export { FlameGraphPanel } from './FlameGraphPanel'
export { onlySource } from './source'
export type { ClauseNodes, GraphLook, GraphState } from './types'
