export { SignaturePage } from './SignaturePage'
