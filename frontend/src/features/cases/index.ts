export { CasesPage } from './CasesPage'
