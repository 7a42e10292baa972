import { createRootRoute, createRoute, Link, Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { useIsGuest } from './api'
import { GuestNotice } from './features/guests'
import { PaletteButton } from './features/palette'
import { ConfirmDialog, RateLimitBanner } from './features/session'
import styles from './shellRoute.module.css'
import { Brand, Notice, PageError, Shell } from './ui'

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

/** Layout of every page that requires a session. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Frame,
})

/** An error of a page; the header and other pages keep working. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  const router = useRouter()
  return <PageError error={error} onRetry={() => void router.invalidate().then(reset)} />
}

/** Link to the help page of what this page is for. */
export function HelpLink() {
  const of = useLocation({ select: ({ pathname }) => pathname })
  return (
    <Link to="/help" search={{ of }} data-testid="help">
      Help
    </Link>
  )
}

function Frame() {
  const isGuest = useIsGuest()
  return (
    <Shell
      home={
        <Link to="/" aria-label="Casebook: all cases">
          <Brand />
        </Link>
      }
      nav={
        isGuest ? (
          <HelpLink />
        ) : (
          <>
            <Link to="/case-problems">Problems</Link>
            <Link to="/kernels">Kernels</Link>
            <Link to="/library">Library</Link>
            <Link to="/baselines">Baselines</Link>
            <HelpLink />
          </>
        )
      }
      search={!isGuest && <PaletteButton />}
      account={
        isGuest ? (
          <Link to="/sign-in">Sign in</Link>
        ) : (
          <Link to="/settings/$page" params={{ page: 'profile' }}>
            Settings
          </Link>
        )
      }
    >
      <RateLimitBanner />
      <GuestNotice />
      <Outlet />
      <ConfirmDialog />
    </Shell>
  )
}

function NotFound() {
  return (
    <Shell
      home={
        <Link to="/" aria-label="Casebook: all cases">
          <Brand />
        </Link>
      }
    >
      <div className={styles.lone}>
        <h1>Page not found</h1>
        <Notice what="No page has this address.">
          <Link to="/">All cases</Link>
        </Notice>
      </div>
    </Shell>
  )
}
