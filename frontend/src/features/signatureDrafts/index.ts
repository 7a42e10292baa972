export { SignatureDraftDialog } from './SignatureDraftDialog'
