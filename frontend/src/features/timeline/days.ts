import type { TimelineEntry } from '../../api'

export type Day = { day: string; entries: TimelineEntry[] }

/** Entries by UTC day, the latest first, as a log is read in an incident. */
export function byDay(entries: readonly TimelineEntry[]): Day[] {
  const days = new Map<string, TimelineEntry[]>()
  for (const entry of entries.toReversed()) {
    const day = entry.at.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, of]) => ({ day, entries: of }))
}

/** `03:12:01` of an ISO time, in UTC. */
export function clock(at: string): string {
  return new Date(at).toISOString().slice(11, 19)
}

const two = (value: number) => String(value).padStart(2, '0')

/** `T+02:15`, hours and minutes since the first entry; `T+3 d 04:10` beyond a day. */
export function sinceStart(at: string, start: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(at) - Date.parse(start)) / 60_000))
  const days = Math.floor(minutes / 1440)
  return `T+${days > 0 ? `${days} d ` : ''}${two(Math.floor((minutes % 1440) / 60))}:${two(minutes % 60)}`
}

/** UTC and local time, for a hover. */
export function exact(at: string): string {
  const date = new Date(at)
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC · ${date.toLocaleString()} local`
}
