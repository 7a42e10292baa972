export { SeenBeforeBar } from './SeenBeforeBar'
export { SimilarCases } from './SimilarCases'
