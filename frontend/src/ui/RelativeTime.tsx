import { useEffect, useState } from 'react'

const steps: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Infinity, 'year'],
]
const UPDATE_MS = 10_000
const formatter = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function relativeTime(seconds: number): string {
  // Steps of ten seconds: the page updates no faster.
  let remaining = -(seconds < 60 ? Math.floor(seconds / 10) * 10 : seconds)
  for (const [size, unit] of steps) {
    if (Math.abs(remaining) < size) return formatter.format(Math.trunc(remaining), unit)
    remaining /= size
  }
  return ''
}

/** Time elapsed since `at`, with UTC and local time as tooltip. */
export function RelativeTime({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), UPDATE_MS)
    return () => clearInterval(timer)
  }, [])
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${date.toISOString().slice(0, 19).replace('T', ' ')} UTC · ${date.toLocaleString()} local`}>
      {relativeTime(Math.max(0, (now - date.getTime()) / 1000))}
    </time>
  )
}
