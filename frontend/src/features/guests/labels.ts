const MINUTE = 60
const HOUR = 3600

/** A duration in hours and minutes: `2 hours`, `1 hour 5 minutes`, `less than a minute`. */
export function durationText(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute'
  const hours = Math.floor(seconds / HOUR)
  const minutes = Math.floor((seconds % HOUR) / MINUTE)
  const parts = [plural(hours, 'hour'), plural(minutes, 'minute')].filter(Boolean)
  return parts.join(' ')
}

/** The UTC time of day of an ISO time: `05:12 UTC`. */
export const clock = (at: string): string => `${new Date(at).toISOString().slice(11, 16)} UTC`

function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`
}
