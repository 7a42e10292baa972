import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { OfflineBanner } from './OfflineBanner'
import { PageError } from './PageError'
import { relativeTime } from './RelativeTime'

it('states that the browser is offline, and confirms the reconnection', () => {
  render(<OfflineBanner />)
  const banner = screen.getByTestId('offline-banner')
  expect(banner.textContent).toBe('')
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(banner.textContent).toContain('Offline.')
  act(() => void window.dispatchEvent(new Event('online')))
  expect(banner.textContent).toContain('Back online')
})

it('explains a part that did not arrive and an error of the application', () => {
  const onRetry = vi.fn<() => void>()
  const { rerender } = render(<PageError error={new TypeError('Failed to fetch dynamically imported module: /assets/x.js')} onRetry={onRetry} />)
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page could not be loaded')
  screen.getByRole('button', { name: 'Try again' }).click()
  expect(onRetry).toHaveBeenCalledOnce()
  rerender(<PageError error={new Error('x is undefined')} onRetry={onRetry} />)
  expect(screen.getByRole('alert').textContent).toContain('x is undefined')
})

it('counts seconds in steps that the page can follow', () => {
  expect([0, 4, 12, 59, 60, 7200].map(relativeTime)).toEqual(['now', 'now', '10 seconds ago', '50 seconds ago', '1 minute ago', '2 hours ago'])
})
