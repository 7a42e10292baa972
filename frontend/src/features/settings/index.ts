export { JoinPage } from './JoinPage'
export { OpenLinkPage } from './OpenLinkPage'
export { pagesOf } from './pages'
export { SettingsPage } from './SettingsPage'
