import { useEffect } from 'react'
import { createRoute, createRouter, lazyRouteComponent, Link, Navigate, redirect, useLocation, useNavigate } from '@tanstack/react-router'
import { type CaseQuery, type CaseSort, useIsGuest } from './api'
import { baselineRoutes } from './baselineRoutes'
import { helpRoutes } from './helpRoutes'
import { readCaseSearch } from './features/case/search'
import { type ColumnName, CasesPage, DEFAULT_COLUMNS, preferredColumns, readColumns, writeColumns } from './features/cases'
import { readCompareSearch } from './features/compare/search'
import { nextPath, PasswordAdvice, SignInPage } from './features/session'
import { pageFrom } from './features/settings/pages'
import { libraryRoutes } from './libraryRoutes'
import { kernelRoutes } from './kernelRoutes'
import { problemRoutes } from './problemRoutes'
import { HelpLink, root, RouteError, shell } from './shellRoute'
import { Brand, importWithRetry, PagePending } from './ui'

/** The columns of the list in a link; nothing for the default. */
const columnsIn = (columns: readonly ColumnName[]): { columns?: string } => {
  const text = writeColumns(columns)
  return text === undefined ? {} : { columns: text }
}

const SORTS: readonly CaseSort[] = ['relevance', '-created_at', 'created_at', '-updated_at', 'updated_at', 'title', '-number']

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (raw: Record<string, unknown>): { token?: string; next?: string; refused?: string } => ({
    ...((typeof raw.token === 'string' || typeof raw.token === 'number') && { token: String(raw.token) }),
    next: nextPath(raw.next, window.location.origin),
    ...(typeof raw.refused === 'string' && { refused: raw.refused }),
  }),
  component: function SignIn() {
    const { token, next, refused } = signIn.useSearch()
    return <SignInPage token={token ?? ''} next={next ?? '/'} refused={refused} help={<HelpLink />} onSignedIn={() => window.location.replace(next ?? '/')} />
  },
})

const cases = createRoute({
  getParentRoute: () => shell,
  path: '/',
  validateSearch: (raw: Record<string, unknown>): Partial<CaseQuery> & { columns?: string } => ({
    ...((typeof raw.q === 'string' || typeof raw.q === 'number') && raw.q !== '' && { q: String(raw.q) }),
    ...((raw.state === 'open' || raw.state === 'closed') && { state: raw.state }),
    ...(SORTS.includes(raw.sort as CaseSort) && { sort: raw.sort as CaseSort }),
    ...columnsIn(readColumns(raw.columns) ?? DEFAULT_COLUMNS),
  }),
  component: function Cases() {
    const search = cases.useSearch()
    const navigate = useNavigate()
    const isGuest = useIsGuest()
    const columns = readColumns(search.columns) ?? preferredColumns()
    const named = writeColumns(columns)
    // A link copied from the address bar shows the columns of who copied it.
    useEffect(() => {
      if (named !== search.columns) void navigate({ to: '/', search: { ...search, ...(named !== undefined && { columns: named }) }, replace: true })
    }, [named, search, navigate])
    if (isGuest) return <Navigate to="/sign-in" />
    const query: CaseQuery = { q: search.q ?? '', state: search.state ?? '', sort: search.sort ?? (search.q ? 'relevance' : '-updated_at') }
    return (
      <>
      <PasswordAdvice
        link={
          <Link to="/settings/$page" params={{ page: 'profile' }}>
            Set a password or add a passkey
          </Link>
        }
      />
      <CasesPage
        query={query}
        columns={columns}
        onView={({ q, state, sort }, shown) =>
          void navigate({ to: '/', search: { ...(q && { q }), ...(state && { state }), ...(sort !== '-updated_at' && sort !== 'relevance' && { sort }), ...columnsIn(shown) }, replace: q !== query.q })
        }
        onCase={(number) => void navigate({ to: '/cases/$caseId', params: { caseId: String(number) } })}
        linkTo={(number, text) => (
          <Link to="/cases/$caseId" params={{ caseId: String(number) }}>
            {text}
          </Link>
        )}
      />
      </>
    )
  },
})

const CasePage = lazyRouteComponent(() => importWithRetry(() => import('./features/case')), 'CasePage')
const oneCase = createRoute({
  getParentRoute: () => shell,
  path: '/cases/$caseId',
  validateSearch: readCaseSearch,
  component: function OneCase() {
    const { caseId } = oneCase.useParams()
    const search = oneCase.useSearch()
    const navigate = useNavigate()
    return (
      <CasePage
        key={caseId}
        caseId={caseId}
        search={search}
        onSearch={(next, { replace }) => void navigate({ to: '/cases/$caseId', params: { caseId }, search: next, replace, resetScroll: false })}
      />
    )
  },
})

const ComparePage = lazyRouteComponent(() => importWithRetry(() => import('./features/compare')), 'ComparePage')
const compare = createRoute({
  getParentRoute: () => shell,
  path: '/compare',
  validateSearch: readCompareSearch,
  component: function Compare() {
    const search = compare.useSearch()
    const navigate = useNavigate()
    return <ComparePage search={search} onSearch={(next, { replace }) => void navigate({ to: '/compare', search: next, replace, resetScroll: false })} />
  },
})

const SettingsPage = lazyRouteComponent(() => importWithRetry(() => import('./features/settings')), 'SettingsPage')
const settings = createRoute({
  getParentRoute: () => shell,
  path: '/settings/$page',
  component: function Settings() {
    const { page } = settings.useParams()
    return (
      <SettingsPage
        page={pageFrom(page)}
        linkTo={(name, title) => (
          <Link key={name} to="/settings/$page" params={{ page: name }} {...(name === pageFrom(page) && { 'aria-current': 'page' as const })}>
            {title}
          </Link>
        )}
      />
    )
  },
})

const settingsHome = createRoute({
  getParentRoute: () => shell,
  path: '/settings',
  beforeLoad: () => {
    throw redirect({ to: '/settings/$page', params: { page: 'profile' } })
  },
})

const JoinPage = lazyRouteComponent(() => importWithRetry(() => import('./features/settings')), 'JoinPage')
const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: () => <JoinPage secret={window.location.hash.slice(1)} onJoined={() => window.location.replace('/')} />,
})

const OpenLinkPage = lazyRouteComponent(() => importWithRetry(() => import('./features/settings')), 'OpenLinkPage')
const openLink = createRoute({
  getParentRoute: () => shell,
  path: '/open',
  component: function OpenLink() {
    const navigate = useNavigate()
    return (
      <OpenLinkPage
        secret={window.location.hash.slice(1)}
        onOpened={(number) => void navigate({ to: '/cases/$caseId', params: { caseId: String(number) }, replace: true })}
      />
    )
  },
})

const SharePage = lazyRouteComponent(() => importWithRetry(() => import('./features/handoffs')), 'SharePage')
const share = createRoute({ getParentRoute: () => root, path: '/s', component: Share })

/** The secret is the URL fragment, which browsers never send to a server. */
function Share() {
  return <SharePage secret={useLocation({ select: ({ hash }) => hash })} home={<Brand />} help={<HelpLink />} />
}

export const router = createRouter({
  routeTree: root.addChildren([signIn, join, share, ...helpRoutes, shell.addChildren([cases, oneCase, compare, ...baselineRoutes, ...kernelRoutes, ...libraryRoutes, ...problemRoutes, settingsHome, settings, openLink])]),
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  defaultPendingComponent: PagePending,
  defaultPendingMs: 200,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
