import { createRoute, lazyRouteComponent, Link, useNavigate } from '@tanstack/react-router'
import { readKernelSearch } from './features/kernels/search'
import { shell } from './shellRoute'
import { importWithRetry } from './ui'

const problemLink = (key: string, text: string) => (
  <Link to="/case-problems/$area/$name" params={{ area: key.split('/')[0] ?? '', name: key.split('/').slice(1).join('/') }}>
    {text}
  </Link>
)

const KernelsPage = lazyRouteComponent(() => importWithRetry(() => import('./features/kernels')), 'KernelsPage')
const kernels = createRoute({
  getParentRoute: () => shell,
  path: '/kernels',
  validateSearch: readKernelSearch,
  component: function Kernels() {
    const filter = kernels.useSearch()
    const navigate = useNavigate()
    return (
      <KernelsPage
        filter={filter}
        onFilter={(next) => void navigate({ to: '/kernels', search: next, replace: true, resetScroll: false })}
        linkTo={(release, pkg, text) => (
          <Link to="/kernel" search={pkg ? { release, package: pkg } : { release }}>
            {text}
          </Link>
        )}
        problemLink={problemLink}
      />
    )
  },
})

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

const KernelPage = lazyRouteComponent(() => importWithRetry(() => import('./features/kernels')), 'KernelPage')
const kernel = createRoute({
  getParentRoute: () => shell,
  // A release in the path would look like the name of a file.
  path: '/kernel',
  validateSearch: (raw: Record<string, unknown>): { release: string; package?: string } => ({ release: textOf(raw.release), ...(raw.package !== undefined && { package: textOf(raw.package) }) }),
  component: function OneKernel() {
    const { release, package: pkg = '' } = kernel.useSearch()
    return (
      <KernelPage
        key={`${release} ${pkg}`}
        release={release}
        pkg={pkg}
        allLink={<Link to="/kernels">Kernels</Link>}
        problemLink={problemLink}
        caseLink={(number, text) => (
          <Link to="/cases/$caseId" params={{ caseId: String(number) }}>
            {text}
          </Link>
        )}
      />
    )
  },
})

/** Routes of the kernels of hosts. */
export const kernelRoutes = [kernels, kernel] as const
