export { FlameGraphPanel } from './FlameGraphPanel'
export type { ClauseNodes, GraphLook, GraphState } from './types'
