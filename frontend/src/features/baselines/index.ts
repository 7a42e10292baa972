export { BaselinesPage } from './BaselinesPage'
export { TrendPage } from './TrendPage'
