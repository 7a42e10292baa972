export { OverviewPanel } from './OverviewPanel'
