import type { TimelineEntry } from '../../api'

export type Day = { day: string; entries: TimelineEntry[] }

/** Entries by UTC day, latest first. */
export function byDay(entries: readonly TimelineEntry[]): Day[] {
  const days = new Map<string, TimelineEntry[]>()
  for (const entry of entries.toReversed()) {
    const day = entry.at.slice(0, 10)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return [...days].map(([day, ofDay]) => ({ day, entries: ofDay }))
}

/** The UTC time of day of an ISO time: `03:12:01`. */
export function clock(at: string): string {
  return new Date(at).toISOString().slice(11, 19)
}

/** Time since the first entry: `+2 h 15 min`; `+3 d 4 h` beyond a day. */
export function sinceStart(at: string, start: string): string {
  const minutes = Math.max(0, Math.floor((Date.parse(at) - Date.parse(start)) / 60_000))
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return `+${days} d ${hours} h`
  return hours > 0 ? `+${hours} h ${minutes % 60} min` : `+${minutes} min`
}

/** UTC and local time, for a tooltip. */
export function exact(at: string): string {
  const date = new Date(at)
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC · ${date.toLocaleString()} local`
}
