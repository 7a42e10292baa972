export { HelpPage } from './HelpPage'
export { topicOf } from './topics'
