import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { mostRetrySeconds, Problem } from '../../api'
import { Banner } from '../../ui'

/** Why an answer is missing, and of what query. */
type Wait = { query: string; text: string }

/** Says that the server asks the page to wait, and when it asks again by itself: until then it would only seem slow. */
export function RateLimitBanner() {
  const queries = useQueryClient().getQueryCache()
  const [wait, setWait] = useState<Wait>()
  useEffect(
    () =>
      queries.subscribe((event) => {
        if (event.type !== 'updated' && event.type !== 'removed') return
        const query = event.query.queryHash
        const error = event.type === 'updated' && event.action.type === 'failed' ? event.action.error : undefined
        const isOver = event.type === 'removed' || event.action.type === 'success' || event.action.type === 'error'
        if (error instanceof Problem && error.retryAfterSeconds > 0) setWait({ query, text: `${error.message} The page asks again within ${mostRetrySeconds(error)} s.` })
        else if (isOver) setWait((before) => (before?.query === query ? undefined : before))
      }),
    [queries],
  )
  return (
    <Banner tone="suspect" testId="rate-limit-banner">
      {wait?.text}
    </Banner>
  )
}
