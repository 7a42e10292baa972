import { createRoute, lazyRouteComponent, Link, useNavigate } from '@tanstack/react-router'
import type { ProblemKind } from './api'
import { shell } from './shellRoute'
import { importWithRetry } from './ui'

const ProblemsPage = lazyRouteComponent(() => importWithRetry(() => import('./features/problems')), 'ProblemsPage')
const problems = createRoute({
  getParentRoute: () => shell,
  path: '/case-problems',
  validateSearch: (raw: Record<string, unknown>): { kind?: ProblemKind } => (raw.kind === 'cluster' ? { kind: 'cluster' } : {}),
  component: function Problems() {
    const { kind = 'signature' } = problems.useSearch()
    const navigate = useNavigate()
    return <ProblemsPage kind={kind} onKind={(next) => void navigate({ to: '/case-problems', search: next === 'cluster' ? { kind: next } : {} })} linkTo={(key, text) => <ProblemLink of={key} text={text} />} />
  },
})

/** Keys of signatures and of most clusters have two parts. */
function ProblemLink({ of: key, text }: { of: string; text: string }) {
  const [area = '', ...rest] = key.split('/')
  if (rest.length === 0)
    return (
      <Link to="/case-problems/$key" params={{ key }}>
        {text}
      </Link>
    )
  return (
    <Link to="/case-problems/$area/$name" params={{ area, name: rest.join('/') }}>
      {text}
    </Link>
  )
}

const ProblemPage = lazyRouteComponent(() => importWithRetry(() => import('./features/problems')), 'ProblemPage')

function OneProblem({ problemKey }: { problemKey: string }) {
  const navigate = useNavigate()
  return (
    <ProblemPage
      key={problemKey}
      problemKey={problemKey}
      allLink={<Link to="/case-problems">Problems</Link>}
      signatureLink={(id, text) => (
        <Link to="/signatures/$area/$name" params={{ area: id.split('/')[0] ?? '', name: id.split('/')[1] ?? '' }}>
          {text}
        </Link>
      )}
      caseLink={(number, text) => (
        <Link to="/cases/$caseId" params={{ caseId: String(number) }}>
          {text}
        </Link>
      )}
      casesLink={(q, text) => (
        <Link to="/" search={{ q }}>
          {text}
        </Link>
      )}
      onMade={(key) => void (key === undefined ? navigate({ to: '/case-problems', search: { kind: 'cluster' } }) : navigate({ to: '/case-problems/$key', params: { key } }))}
    />
  )
}

const cluster = createRoute({
  getParentRoute: () => shell,
  path: '/case-problems/$key',
  component: function OneCluster() {
    return <OneProblem problemKey={cluster.useParams().key} />
  },
})

const problem = createRoute({
  getParentRoute: () => shell,
  path: '/case-problems/$area/$name',
  component: function OneSignature() {
    const { area, name } = problem.useParams()
    return <OneProblem problemKey={`${area}/${name}`} />
  },
})

/** Routes of problems; `/problems` are the pages of errors. */
export const problemRoutes = [problems, cluster, problem] as const
