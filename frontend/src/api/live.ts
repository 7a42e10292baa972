import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changedKeys, changesOf } from './caseEvents'
import { streamEvents } from './eventStream'
import { keys } from './keys'

/** Minimum interval between refetches. */
const REFETCH_INTERVAL_MS = 400
/** Base reconnect delay; jitter of up to 100 % spreads reconnects. */
const RETRY_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export type Connection = 'connecting' | 'live' | 'lost'

/**
 * Follow the event log of a case and refetch the resources that changed.
 *
 * The stream is parsed here because `EventSource` delivers only event names registered in advance. After a
 * dropped connection it resumes with `Last-Event-ID`. If the server refuses the stream, the whole case is
 * refetched: it may be deleted or no longer accessible.
 */
export function useCaseEvents(caseId: string): Connection {
  const cache = useQueryClient()
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    const stop = new AbortController()
    let last = ''
    let stale: (readonly unknown[])[] = []
    let isRefetching = false
    let wasLive = false
    // One refetch at a time: on a slow connection a new one would cancel the previous one.
    const refresh = async (changed: (readonly unknown[])[]) => {
      stale.push(...changed)
      if (isRefetching) return
      isRefetching = true
      while (stale.length > 0 && !stop.signal.aborted) {
        await pause(REFETCH_INTERVAL_MS)
        const distinct = new Map(stale.map((queryKey) => [queryKey.join(), queryKey]))
        stale = []
        await Promise.all([...distinct.values()].map((queryKey) => cache.invalidateQueries({ queryKey })))
      }
      isRefetching = false
    }
    const follow = async () => {
      const response = await fetch(`/api/v1/cases/${caseId}/events`, {
        headers: { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) },
        signal: stop.signal,
      })
      if (!response.ok || !response.body) {
        if (wasLive) void refresh([keys.case(caseId)])
        wasLive = false
        return
      }
      wasLive = true
      setConnection('live')
      for await (const { id, data } of streamEvents(response.body)) {
        last = id
        const changes = changesOf(data)
        void refresh(changes ? changedKeys(caseId, changes) : [keys.case(caseId)])
      }
    }
    const reconnect = async () => {
      while (!stop.signal.aborted) {
        await follow().catch(() => undefined)
        if (stop.signal.aborted) return
        setConnection('lost')
        await pause(RETRY_MS * (1 + Math.random()))
      }
    }
    void reconnect()
    return () => stop.abort()
  }, [cache, caseId])
  return connection
}
