export { EventDialog } from './EventDialog'
export { IncidentBar } from './IncidentBar'
export { EventButtons } from './IncidentTimes'
export { EVENT_LABELS, SEVERITIES, STATUS_LABELS, tagsIn } from './labels'
