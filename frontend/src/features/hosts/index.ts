export { type HostChoice, HostsPanel } from './HostsPanel'
