/** A selection with `value` added, or removed if it was in it. */
export function toggled<Value>(selected: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  const next = new Set(selected)
  if (!next.delete(value)) next.add(value)
  return next
}

/** A time in the two largest units: `2 h 5 min`, `3 d 4 h`, `40 s`. */
export function durationText(seconds: number): string {
  const units: readonly [string, number][] = [['d', 86_400], ['h', 3600], ['min', 60], ['s', 1]]
  const at = units.findIndex(([, size]) => seconds >= size)
  if (at < 0) return '0 s'
  const parts: string[] = []
  let left = Math.round(seconds)
  for (const [unit, size] of units.slice(at, at + 2)) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  return parts.join(' ')
}
