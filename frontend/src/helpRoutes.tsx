import { createRoute, lazyRouteComponent, Link, redirect, useLocation } from '@tanstack/react-router'
import { root } from './shellRoute'
import { Brand, importWithRetry, Shell } from './ui'

const load = () => importWithRetry(() => import('./features/help'))
const HelpPage = lazyRouteComponent(load, 'HelpPage')

/** The help needs no session: who cannot sign in reads it, too. */
function Help({ page }: { page: string }) {
  const hash = useLocation({ select: (location) => location.hash })
  return (
    <Shell
      home={
        <Link to="/" aria-label="Casebook: all cases">
          <Brand />
        </Link>
      }
      account={<Link to="/">Cases</Link>}
    >
      <HelpPage
        key={page}
        page={page}
        hash={hash}
        linkTo={(name, section, text) => (
          <Link to="/help/$page" params={{ page: name }} {...(section && { hash: section })} activeOptions={{ includeHash: section !== '' }}>
            {text}
          </Link>
        )}
      />
    </Shell>
  )
}

const index = createRoute({
  getParentRoute: () => root,
  path: '/help',
  validateSearch: (raw: Record<string, unknown>): { of?: string } => (typeof raw.of === 'string' ? { of: raw.of } : {}),
  beforeLoad: async ({ search }) => {
    const { page: name, hash } = (await load()).topicOf(search.of ?? '')
    throw redirect({ to: '/help/$page', params: { page: name }, hash, replace: true })
  },
})
const page = createRoute({
  getParentRoute: () => root,
  path: '/help/$page',
  component: function OnePage() {
    return <Help page={page.useParams().page} />
  },
})

/** Routes of the documentation. */
export const helpRoutes = [index, page] as const
