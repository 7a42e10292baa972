export { JoinPage } from './JoinPage'
export { OpenLinkPage } from './OpenLinkPage'
export { PAGES } from './pages'
export { SettingsPage } from './SettingsPage'
