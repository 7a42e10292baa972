import { createRootRoute, createRoute, Link, Outlet } from '@tanstack/react-router'
import { useIsGuest } from './api'
import { GuestNotice } from './features/guests'
import { ConfirmDialog } from './features/session'
import { Brand, Notice, Shell } from './ui'

export const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound })

/** Layout of every page that requires a session. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Frame,
})

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
        isGuest ? undefined : (
          <>
            <Link to="/library">Library</Link> <Link to="/baselines">Baselines</Link>
          </>
        )
      }
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
        <Link to="/">
          <Brand />
        </Link>
      }
    >
      <Notice what="Page not found.">
        <Link to="/">All cases</Link>
      </Notice>
    </Shell>
  )
}
