export { ProposalPage } from './ProposalPage'
export { ProposalsPage } from './ProposalsPage'
export { SignatureDifference } from './SignatureDifference'
export { type EditorSearch, WorkbenchPage } from './WorkbenchPage'
