import { format } from '../../profile'

const NANOSECONDS: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, seconds: 1e9 }

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `1234567` as `1.2M`, where there is little room. */
export function short(value: number): string {
  return compact.format(value)
}

/** One edge of a bucket, short: `512 µs`, `4 KiB`, `8K`. */
export function edge(value: number, unit: string): string {
  if (value === -Infinity) return '…'
  const scale = NANOSECONDS[unit]
  if (scale !== undefined) return value === 0 ? '0' : format.weight(value * scale, 'ns')
  if (unit === 'bytes') return format.bytes(value)
  return short(value)
}

/** A bucket; null is no end on that side. */
export function range(low: number | null, high: number | null, unit: string): string {
  if (low === null || low === -Infinity) return high === null ? 'anything' : `< ${edge(high, unit)}`
  return high === null ? `≥ ${edge(low, unit)}` : `${edge(low, unit)}–${edge(high, unit)}`
}

/** A value of a series with its unit. */
export function reading(value: number, unit: string): string {
  if (unit === 'share') return format.share(value)
  if (unit === 'bytes_per_second') return `${format.bytes(value)}/s`
  if (NANOSECONDS[unit] !== undefined || unit === 'bytes') return edge(value, unit)
  return `${format.count(value)}${unit === 'per_second' ? ' /s' : unit && unit !== 'count' ? ` ${unit}` : ''}`
}

/** A value where there is little room. */
export function tickText(value: number, unit: string): string {
  return unit === '' || unit === 'count' || unit === 'per_second' ? short(value) : reading(value, unit)
}

/** What tells lines apart for a person; the rest of the labels only numbers them. */
const TELLING = ['comm', 'command', 'name', 'device', 'cgroup', 'resource', 'pid', 'tid', 'cpu']
const MOST_TELLING = 2

/** The labels to draw a line for: those that say most, or all when none of them is known. */
export function tellingLabels(labels: readonly string[]): string[] {
  const known = TELLING.filter((label) => labels.includes(label)).slice(0, MOST_TELLING)
  return known.length > 0 ? known : [...labels]
}

/** The labels of a line in one text. */
export function named(label: Record<string, string>): string {
  return Object.values(label).filter(Boolean).join(' ') || 'all'
}

/** Names of lines; the file is said too where labels alone do not tell them apart. */
export function lineNames(lines: readonly { label: Record<string, string>; evidence_name: string }[]): string[] {
  const names = lines.map(({ label }) => named(label))
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} · ${lines[at]?.evidence_name.split('/').slice(-2).join('/')}`))
}

/** What is chosen of a chart; `charts` are all such choices, one text each: `@reclaim_us=time`. */
export function chosenOf(charts: readonly string[], chart: string): string | undefined {
  return charts.find((one) => one.startsWith(`${chart}=`))?.slice(chart.length + 1)
}

/** The choices with another one for a chart; without one when it is as by default. */
export function withChoice(charts: readonly string[], chart: string, choice: string | undefined): string[] {
  const others = charts.filter((one) => !one.startsWith(`${chart}=`))
  return choice === undefined ? others : [...others, `${chart}=${choice}`]
}
