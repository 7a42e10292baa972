export { SeenBefore } from './SeenBefore'
