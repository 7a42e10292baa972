export { JoinPage } from './JoinPage'
export { OpenLinkPage } from './OpenLinkPage'
export { SettingsPage } from './SettingsPage'
