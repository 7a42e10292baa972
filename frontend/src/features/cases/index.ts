export { CasesPage } from './CasesPage'
export { DropZone } from './DropZone'
