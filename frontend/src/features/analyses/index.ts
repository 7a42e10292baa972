export { AnalysesPanel } from './AnalysesPanel'
export { fileOf, linesOf } from './panelGroups'
