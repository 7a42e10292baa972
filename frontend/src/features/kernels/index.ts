export { KernelPage } from './KernelPage'
export { KernelsPage } from './KernelsPage'
