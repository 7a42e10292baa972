export { SpeedscopeFrame } from './SpeedscopeFrame'
