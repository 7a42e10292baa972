import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook, waitFor } from '@testing-library/react'
import { createElement, type ReactNode } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import { useCaseEvents } from './live'

afterEach(() => vi.unstubAllGlobals())

it('resumes after the last event on the page, once it is known', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise(() => undefined))
  vi.stubGlobal('fetch', fetch)
  const cache = new QueryClient()
  const wrapper = ({ children }: { children: ReactNode }) => createElement(QueryClientProvider, { client: cache }, children)
  const initialProps: { after: number | undefined } = { after: undefined }
  const { rerender, unmount } = renderHook(({ after }) => useCaseEvents('7', after), { wrapper, initialProps })
  expect(fetch).not.toHaveBeenCalled()
  rerender({ after: 41 })
  await waitFor(() => expect(fetch).toHaveBeenCalledOnce())
  expect(fetch.mock.calls[0]?.[1]?.headers).toMatchObject({ 'Last-Event-ID': '41' })
  rerender({ after: 42 })
  expect(fetch).toHaveBeenCalledOnce()
  unmount()
})
