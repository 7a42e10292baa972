export { HungTools } from './HungTools'
export { RunList } from './RunList'
export { RecordRun } from './RecordRun'
