export type { HostChoice } from './hostChoice'
export { HostsPanel } from './HostsPanel'
