import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

export type Medium = { isPaper: boolean; isForced: boolean; isStrong: boolean; isForcedDark: boolean }

const QUERIES = {
  isPaper: 'print',
  isForced: '(forced-colors: active)',
  isStrong: '(prefers-contrast: more)',
  isForcedDark: '(forced-colors: active) and (prefers-color-scheme: dark)',
} as const

function read(): Medium {
  return Object.fromEntries(Object.entries(QUERIES).map(([name, query]) => [name, window.matchMedia(query).matches])) as Medium
}

/** Print and contrast media features; a canvas must be redrawn when they change. */
export function useMedium(): Medium {
  const [medium, setMedium] = useState(read)
  useEffect(() => {
    const update = () => setMedium(read())
    // The browser renders the print image right after this handler.
    const print = () => flushSync(() => setMedium({ ...read(), isPaper: true }))
    const queries = Object.values(QUERIES).map((query) => window.matchMedia(query))
    for (const query of queries) query.addEventListener('change', update)
    window.addEventListener('beforeprint', print)
    window.addEventListener('afterprint', update)
    return () => {
      for (const query of queries) query.removeEventListener('change', update)
      window.removeEventListener('beforeprint', print)
      window.removeEventListener('afterprint', update)
    }
  }, [])
  return medium
}
