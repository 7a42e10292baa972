export { HangBox } from './HangBox'
export { RunList } from './RunList'
export { RunSlot } from './RunSlot'
