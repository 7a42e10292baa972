export { Chain } from './Chain'
export { Matrix } from './Matrix'
export { Assessed, Chips, Citation, OverviewPanel } from './OverviewPanel'
export { type Diagnosis, diagnosisOf, leadingSignature, leadOf } from './questions'
