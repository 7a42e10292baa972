export { TimelinePanel } from './TimelinePanel'
