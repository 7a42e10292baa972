const two = (value: number) => String(value).padStart(2, '0')

/** The value of a `datetime-local` input: local time to the minute. */
export function localMinute(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** The value of a `datetime-local` input in UTC; null when empty, invalid or the current minute (the server's clock is used). */
export function utcOf(field: string, now: Date): string | null {
  const at = new Date(field)
  if (field === '' || Number.isNaN(at.getTime()) || localMinute(at) === localMinute(now)) return null
  return at.toISOString()
}
