export { LabelPanel } from './LabelPanel'
export { labelsOf, opinionMark } from './labels'
