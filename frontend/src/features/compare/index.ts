export { ComparePage } from './ComparePage'
