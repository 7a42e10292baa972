export { Chain } from './Chain'
export { Matrix } from './Matrix'
export { Assessed, Chips, Citation, Cited, OverviewPanel } from './OverviewPanel'
export { type Diagnosis, type HostLead, diagnosisOf, leadingSignature, leadOf } from './questions'
