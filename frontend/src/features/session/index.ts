export { ConfirmDialog } from './ConfirmDialog'
export { nextPath } from './nextPath'
export { SignInPage } from './SignInPage'
