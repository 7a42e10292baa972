export { WaitsView } from './WaitsView'
