export { HistogramChart } from './HistogramChart'
export { NumbersView } from './NumbersView'
