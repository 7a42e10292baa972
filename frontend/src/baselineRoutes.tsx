import { createRoute, lazyRouteComponent, Link, useNavigate } from '@tanstack/react-router'
import { readTrendSearch } from './features/baselines/search'
import { shell } from './shellRoute'

const BaselinesPage = lazyRouteComponent(() => import('./features/baselines'), 'BaselinesPage')
const baselines = createRoute({
  getParentRoute: () => shell,
  path: '/baselines',
  component: () => (
    <BaselinesPage
      linkTo={(id, text) => (
        <Link to="/baselines/$baseline" params={{ baseline: id }}>
          {text}
        </Link>
      )}
    />
  ),
})

const TrendPage = lazyRouteComponent(() => import('./features/baselines'), 'TrendPage')
const trend = createRoute({
  getParentRoute: () => shell,
  path: '/baselines/$baseline',
  validateSearch: readTrendSearch,
  component: function Trend() {
    const { baseline } = trend.useParams()
    const search = trend.useSearch()
    const navigate = useNavigate()
    return (
      <TrendPage
        key={baseline}
        baseline={baseline}
        search={search}
        allLink={<Link to="/baselines">Baselines</Link>}
        onSearch={(next, { replace }) => void navigate({ to: '/baselines/$baseline', params: { baseline }, search: next, replace, resetScroll: false })}
      />
    )
  },
})

/** Routes of baselines: the list of series, and the trend of one. */
export const baselineRoutes = [baselines, trend] as const
