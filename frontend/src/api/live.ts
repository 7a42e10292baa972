import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { changedKeys, changesOf } from './caseEvents'
import { streamEvents } from './eventStream'
import { keys } from './keys'

/** Ask again at most this often, however many events arrive. */
const PAUSE_MS = 400
/** Pages that lost the server together come back one after the other: each waits up to twice as long. */
const RETRY_MS = 2_000

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

export type Connection = 'connecting' | 'live' | 'lost'

/**
 * Follow the event log of a case: what an event says that it changed is asked again, and nothing else.
 *
 * Events are named by kind, and a browser's `EventSource` hears only kinds it was told of, so the stream is
 * read here. A connection that broke resumes after the last event seen, so nothing is missed; all of the case
 * is asked again when the server refuses to go on, which shows that it is gone or may not be seen any more.
 *
 * `after` is the newest event that the page shows already, undefined while that is not known yet.
 */
export function useCaseEvents(caseId: string, after: number | undefined): Connection {
  const cache = useQueryClient()
  const shownEvent = useEffectEvent(() => String(after ?? 0))
  const isKnown = after !== undefined
  const [connection, setConnection] = useState<Connection>('connecting')
  useEffect(() => {
    if (!isKnown) return
    const stop = new AbortController()
    let last = shownEvent()
    let outdated: (readonly unknown[])[] = []
    let isAsking = false
    let wasLive = false
    // Asked anew only when the answers are here: over a slow line each question would cut off the one before it.
    const refresh = async (changed: (readonly unknown[])[]) => {
      outdated.push(...changed)
      if (isAsking) return
      isAsking = true
      while (outdated.length > 0 && !stop.signal.aborted) {
        await pause(PAUSE_MS)
        const asked = new Map(outdated.map((queryKey) => [queryKey.join(), queryKey]))
        outdated = []
        await Promise.all([...asked.values()].map((queryKey) => cache.invalidateQueries({ queryKey })))
      }
      isAsking = false
    }
    const follow = async () => {
      const response = await fetch(`/api/v1/cases/${caseId}/events`, {
        headers: { Accept: 'text/event-stream', 'Last-Event-ID': last },
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
    const forever = async () => {
      while (!stop.signal.aborted) {
        await follow().catch(() => undefined)
        if (stop.signal.aborted) return
        setConnection('lost')
        await pause(RETRY_MS * (1 + Math.random()))
      }
    }
    void forever()
    return () => stop.abort()
  }, [cache, caseId, isKnown])
  return connection
}
