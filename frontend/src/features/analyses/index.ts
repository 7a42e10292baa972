export { AnalysesPanel } from './AnalysesPanel'
