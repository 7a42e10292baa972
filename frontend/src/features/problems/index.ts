export { ProblemPage } from './ProblemPage'
export { ProblemsPage } from './ProblemsPage'
