export { Assessed, OverviewPanel } from './OverviewPanel'
export { leadOf } from './questions'
