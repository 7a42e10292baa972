export { SignatureListPage } from './SignatureListPage'
export { SignaturePage } from './SignaturePage'
