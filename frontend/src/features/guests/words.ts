const MINUTE = 60
const HOUR = 3600

/** A time to come as a person says it: `2 hours`, `1 hour 5 minutes`, `40 minutes`, `less than a minute`. */
export function span(seconds: number): string {
  if (seconds < MINUTE) return 'less than a minute'
  const hours = Math.floor(seconds / HOUR)
  const minutes = Math.floor((seconds % HOUR) / MINUTE)
  const parts = [counted(hours, 'hour'), counted(minutes, 'minute')].filter(Boolean)
  return parts.join(' ')
}

/** `05:12 UTC`, of an ISO time. */
export const clock = (at: string): string => `${new Date(at).toISOString().slice(11, 16)} UTC`

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}${count === 1 ? '' : 's'}`
}
