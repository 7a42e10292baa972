const two = (value: number) => String(value).padStart(2, '0')

/** A moment as the field of a browser takes it: local time to the minute. */
export function localMinute(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}T${two(at.getHours())}:${two(at.getMinutes())}`
}

/** What such a field says, as UTC; null when it says nothing, or this very minute: then the server knows better. */
export function utcOf(field: string, now: Date): string | null {
  const at = new Date(field)
  if (field === '' || Number.isNaN(at.getTime()) || localMinute(at) === localMinute(now)) return null
  return at.toISOString()
}
