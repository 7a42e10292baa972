export { SimilarCases } from './SimilarCases'
