export { SignaturePage } from './SignaturePage'
export { SignatureStoryPage } from './SignatureStoryPage'
