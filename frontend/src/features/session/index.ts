export { ConfirmDialog } from './ConfirmDialog'
export { SignInPage } from './SignInPage'
