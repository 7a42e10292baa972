const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const three = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

/** `0.1824` as `18.2 %`; a share that would round to zero is `< 0.1 %`. */
export function share(value: number): string {
  const percent = value * 100
  if (percent > 0 && percent < 0.05) return '< 0.1 %'
  return `${percent.toFixed(percent >= 99.95 ? 0 : 1)} %`
}

export function count(value: number): string {
  return Math.abs(value) < 10 && !Number.isInteger(value) ? three.format(value) : grouped.format(value)
}

/** `1 sample`, `3,884 samples`. */
export function samples(value: number): string {
  return `${count(value)} ${value === 1 ? 'sample' : 'samples'}`
}

export function bytes(value: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let at = 0
  let scaled = value
  while (scaled >= 1024 && at < units.length - 1) {
    scaled /= 1024
    at++
  }
  return `${at === 0 || scaled >= 100 ? scaled.toFixed(0) : scaled.toFixed(1)} ${units[at]}`
}

function seconds(value: number): string {
  if (value >= 1) return `${three.format(value)} s`
  if (value >= 1e-3) return `${three.format(value * 1e3)} ms`
  return `${three.format(value * 1e6)} µs`
}

/** A weight in the unit of its profile: `samples`, `ns`, `bytes`, `count` or `period:<event>`. */
export function weight(value: number, unit: string): string {
  if (unit === 'ns') return seconds(value / 1e9)
  if (unit === 'bytes') return bytes(value)
  if (unit.startsWith('period:')) {
    const event = unit.slice('period:'.length)
    return /(cpu|task)-clock/.test(event) ? seconds(value / 1e9) : `${count(value)} ${event.split(':')[0]}`
  }
  return unit === 'samples' ? samples(value) : `${count(value)} ${unit}`
}
