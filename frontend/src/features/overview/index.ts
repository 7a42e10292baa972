export { Assessed, Citation, OverviewPanel } from './OverviewPanel'
export { type Diagnosis, diagnosisOf, leadOf } from './questions'
