export { CasePage } from './CasePage'
export { readCaseSearch } from './search'
