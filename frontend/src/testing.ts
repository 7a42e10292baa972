import { cleanup } from '@testing-library/react'
import { afterEach, vi } from 'vitest'

// All tests of a process have the same document.
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  if (typeof window === 'undefined') return
  localStorage.clear()
  sessionStorage.clear()
})

if (typeof window !== 'undefined') {
  // jsdom has no layout and provides neither.
  window.matchMedia ??= (query: string) =>
    ({ matches: false, media: query, addEventListener() {}, removeEventListener() {}, addListener() {}, removeListener() {} }) as unknown as MediaQueryList
  window.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
}
