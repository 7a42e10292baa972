export { HandoffPanel } from './HandoffPanel'
export { SharePage } from './SharePage'
