export { OUTCOMES } from './labels'
export { PhasesPanel } from './PhasesPanel'
