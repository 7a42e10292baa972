export { HandoffPanel } from './HandoffPanel'
export { SharePage } from './SharePage'
export { Origins } from './Origins'
