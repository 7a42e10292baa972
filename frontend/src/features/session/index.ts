export { ConfirmDialog } from './ConfirmDialog'
export { nextPath } from './nextPath'
export { RateLimitBanner } from './RateLimitBanner'
export { SignInPage } from './SignInPage'
