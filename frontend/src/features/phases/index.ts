export { PhasesPanel } from './PhasesPanel'
