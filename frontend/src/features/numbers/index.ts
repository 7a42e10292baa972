export { NumbersView } from './NumbersView'
