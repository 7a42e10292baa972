import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { keys } from './keys'
import { eventIds } from './eventStream'

/** Ask again at most this often, however many events arrive. */
const PAUSE_MS = 400
const RETRY_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export type Connection = 'connecting' | 'live' | 'lost'

/**
 * Follow the event log of a case: everything shown of it is asked again when something happened.
 *
 * Events are named by kind, and a browser's `EventSource` hears only kinds it was told of, so the stream is
 * read here; a connection that broke resumes after the last event seen.
 */
export function useCaseEvents(caseId: string): Connection {
  const cache = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const stop = new AbortController()
    let last = ''
    let isOutdated = false
    let isAsking = false
    // Asked anew only when the answers are here: over a slow line each question would cut off the one before it.
    const refresh = async () => {
      isOutdated = true
      if (isAsking) return
      isAsking = true
      while (isOutdated && !stop.signal.aborted) {
        await pause(PAUSE_MS)
        isOutdated = false
        await cache.invalidateQueries({ queryKey: keys.case(caseId) })
      }
      isAsking = false
    }
    const follow = async () => {
      const response = await fetch(`/api/v1/cases/${caseId}/events`, {
        headers: { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) },
        signal: stop.signal,
      })
      if (!response.ok || !response.body) throw new Error(`the event stream answered ${response.status}`)
      setConnection('live')
      for await (const id of eventIds(response.body)) {
        last = id
        void refresh()
      }
    }
    const forever = async () => {
      while (!stop.signal.aborted) {
        await follow().catch(() => undefined)
        if (stop.signal.aborted) return
        setConnection('lost')
        await pause(RETRY_MS)
        void refresh()
      }
    }
    void forever()
    return () => stop.abort()
  }, [cache, caseId])
  return connection
}
