import { format } from '../../profile'

const NANOSECONDS: Record<string, number> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, seconds: 1e9 }

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** Compact number: `1234567` → `1.2M`. */
export function short(value: number): string {
  return compact.format(value)
}

/** Bucket bound, compact: `512 µs`, `4 KiB`, `8K`. */
export function edge(value: number, unit: string): string {
  if (value === -Infinity) return '…'
  const scale = NANOSECONDS[unit]
  if (scale !== undefined) return value === 0 ? '0' : format.weight(value * scale, 'ns')
  if (unit === 'bytes') return format.bytes(value)
  return short(value)
}

/** Bucket range; null is unbounded. */
export function range(low: number | null, high: number | null, unit: string): string {
  if (low === null || low === -Infinity) return high === null ? 'any value' : `< ${edge(high, unit)}`
  return high === null ? `≥ ${edge(low, unit)}` : `${edge(low, unit)}–${edge(high, unit)}`
}

/** Series value with its unit. */
export function formatValue(value: number, unit: string): string {
  if (unit === 'share') return format.share(value)
  if (unit === 'bytes_per_second') return `${format.bytes(value)}/s`
  if (NANOSECONDS[unit] !== undefined || unit === 'bytes') return edge(value, unit)
  return `${format.count(value)}${unit === 'per_second' ? ' /s' : unit && unit !== 'count' ? ` ${unit}` : ''}`
}

/** Axis tick, compact. */
export function tickText(value: number, unit: string): string {
  return unit === '' || unit === 'count' || unit === 'per_second' ? short(value) : formatValue(value, unit)
}

/** Labels that identify a line, most readable first. */
const IDENTIFYING = ['comm', 'command', 'name', 'device', 'cgroup', 'resource', 'pid', 'tid', 'cpu']
const MAX_IDENTIFYING = 2

/** Labels to group lines by: the most readable ones, or all if none is known. */
export function identifyingLabels(labels: readonly string[]): string[] {
  const known = IDENTIFYING.filter((label) => labels.includes(label)).slice(0, MAX_IDENTIFYING)
  return known.length > 0 ? known : [...labels]
}

/** Label values of a line, joined. */
function joinedLabel(label: Record<string, string>): string {
  return Object.values(label).filter(Boolean).join(' ') || 'all'
}

/** Line names; ambiguous ones include the file. */
export function lineNames(lines: readonly { label: Record<string, string>; evidence_name: string }[]): string[] {
  const names = lines.map(({ label }) => joinedLabel(label))
  return names.map((name, at) => (names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} · ${lines[at]?.evidence_name.split('/').slice(-2).join('/')}`))
}

/** Stored choice of a chart; `charts` holds entries such as `@reclaim_us=time`. */
export function chosenOf(charts: readonly string[], chart: string): string | undefined {
  return charts.find((one) => one.startsWith(`${chart}=`))?.slice(chart.length + 1)
}

/** `charts` with the choice of one chart replaced; undefined resets to the default. */
export function withChoice(charts: readonly string[], chart: string, choice: string | undefined): string[] {
  const others = charts.filter((one) => !one.startsWith(`${chart}=`))
  return choice === undefined ? others : [...others, `${chart}=${choice}`]
}
