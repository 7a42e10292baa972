export { HandoffPanel } from './HandoffPanel'
export { SharePage } from './SharePage'
export { OpenTokens } from './OpenTokens'
export { Origins } from './Origins'
