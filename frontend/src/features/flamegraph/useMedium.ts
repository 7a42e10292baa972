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

/** What the page is shown on. A canvas has to know: neither paper nor forced colours change what is drawn already. */
export function useMedium(): Medium {
  const [medium, setMedium] = useState(read)
  useEffect(() => {
    const renew = () => setMedium(read())
    // The browser takes its picture for the printer as soon as this returns.
    const print = () => flushSync(() => setMedium({ ...read(), isPaper: true }))
    const queries = Object.values(QUERIES).map((query) => window.matchMedia(query))
    for (const query of queries) query.addEventListener('change', renew)
    window.addEventListener('beforeprint', print)
    window.addEventListener('afterprint', renew)
    return () => {
      for (const query of queries) query.removeEventListener('change', renew)
      window.removeEventListener('beforeprint', print)
      window.removeEventListener('afterprint', renew)
    }
  }, [])
  return medium
}
