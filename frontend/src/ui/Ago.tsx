import { useEffect, useState } from 'react'

const steps: readonly [number, Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Infinity, 'year'],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

export function ago(seconds: number): string {
  let rest = -seconds
  for (const [size, unit] of steps) {
    if (Math.abs(rest) < size) return relative.format(Math.trunc(rest), unit)
    rest /= size
  }
  return ''
}

/** How long ago, with UTC and local time on hover. */
export function Ago({ at }: { at: string }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 20_000)
    return () => clearInterval(timer)
  }, [])
  const date = new Date(at)
  return (
    <time dateTime={at} title={`${date.toISOString().slice(0, 19).replace('T', ' ')} UTC · ${date.toLocaleString()} local`}>
      {ago(Math.max(0, (now - date.getTime()) / 1000))}
    </time>
  )
}
