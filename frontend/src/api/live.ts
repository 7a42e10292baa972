import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { changedKeys, readEvent, seenUntil, urgentChanges } from './caseEvents'
import { streamEvents } from './eventStream'
import { keys } from './keys'
import { refetchChanged } from './refetch'
import { findingsDelayMs, refetchDelayMs } from './refetchDelay'
import type { Case } from './types'
import { uploadQueue } from './uploadQueue'

/** After this time without a refetch the next event is fetched at once again, and without an event all that changed. */
const QUIET_MS = 5_000
/** While more files than this are read, only the first screen is refetched at every round. */
const FEW_FILES = 3
/** So many events at once are of many files, before the case says so. */
const BURST = 12
/** Without an event for so long, the last of many files may be read: findings are refetched as soon as at first. */
const PAUSE_MS = 1_000
/** Interval between refetches of the other visible resources meanwhile. */
const VISIBLE_MS = 15_000
/** Names no resource, so that everything of the case is refetched. */
const WHOLE_CASE = 'whole case'
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
    const began = performance.now()
    let last = ''
    const stale = new Set<string>()
    let [isRefetching, wasLive] = [false, false]
    let [rounds, roundsOfMany, arrived, lastEvent, lastRefetch, lastVisible] = [0, 0, 0, 0, 0, Date.now()]
    let wake = () => {}
    const isReadingMany = () => arrived > BURST || (cache.getQueryData<Case>(keys.caseHead(caseId))?.reading_count ?? 0) > FEW_FILES
    const isSendingMany = () => uploadQueue.snapshot().filter(({ stage }) => stage === 'waiting' || stage === 'sending').length > FEW_FILES
    // New findings are shown soon, whatever the delay of the series has grown to.
    const untilFindingsMs = (round: number) => Math.max(refetchDelayMs(0), isReadingMany() ? lastRefetch + findingsDelayMs(round) - Date.now() : 0)
    const refetchFindings = () => stale.has('findings') && wake()
    const refetchFindingsInPause = () => Date.now() - lastEvent >= PAUSE_MS && refetchFindings()
    // One refetch at a time: on a slow connection a new one would cancel the previous one.
    const refresh = async (changes: readonly string[]) => {
      for (const name of changes) stale.add(name)
      arrived++
      lastEvent = Date.now()
      if (changes.includes('findings')) {
        setTimeout(refetchFindings, untilFindingsMs(roundsOfMany))
        setTimeout(refetchFindingsInPause, Math.max(PAUSE_MS, untilFindingsMs(0)))
      }
      if (isRefetching) return
      isRefetching = true
      if (Date.now() - lastRefetch > QUIET_MS && !isReadingMany()) rounds = 0
      while (stale.size > 0 && !stop.signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve
          const delayMs = refetchDelayMs(rounds++)
          setTimeout(resolve, stale.has('findings') ? Math.min(delayMs, untilFindingsMs(roundsOfMany)) : delayMs)
        })
        const withVisible = Date.now() - lastVisible > VISIBLE_MS
        // A worker may pause between two of many files.
        const isBusy = isSendingMany() || (isReadingMany() && Date.now() - lastEvent < QUIET_MS)
        const changed = isBusy ? urgentChanges(stale, withVisible) : [...stale]
        if (withVisible || changed.length === stale.size) lastVisible = Date.now()
        for (const name of changed) stale.delete(name)
        arrived = 0
        const queryKeys = changedKeys(caseId, changed)
        // The overview is of the first screen, the analyses below it are not.
        if (stale.has('analyses')) queryKeys.push(keys.overview(caseId))
        await Promise.all(queryKeys.map((queryKey) => refetchChanged(cache, queryKey)))
        lastRefetch = Date.now()
        roundsOfMany = isReadingMany() ? roundsOfMany + 1 : 0
        if (stale.size > 0 && !isReadingMany()) rounds = 0
      }
      isRefetching = false
    }
    const follow = async () => {
      const isFirst = !last
      const response = await fetch(`/api/v1/cases/${caseId}/events`, {
        headers: { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) },
        signal: stop.signal,
      })
      if (!response.ok || !response.body) {
        if (wasLive) void refresh([WHOLE_CASE])
        wasLive = false
        return
      }
      wasLive = true
      setConnection('live')
      const seen = isFirst ? seenUntil(response.headers.get('Date'), performance.now() - began) : -Infinity
      for await (const { id, data } of streamEvents(response.body)) {
        last = id
        const { changes, at } = readEvent(data)
        if (!(at < seen)) void refresh(changes ?? [WHOLE_CASE])
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
