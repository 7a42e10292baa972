import type { Evidence, Fact } from '../../api'
import { format } from '../../profile'

export type FactPair = { name: string; labels: string; unit: string; a: Fact['value'] | undefined; b: Fact['value'] | undefined }

/** The facts of A and B that differ, keyed by name and labels; largest change first, one-sided facts last. */
export function factPairs(a: readonly Fact[], b: readonly Fact[]): FactPair[] {
  const pairs = new Map<string, FactPair>()
  for (const [side, facts] of [['a', a], ['b', b]] as const) {
    for (const { name, labels, unit, value } of facts) {
      const labelText = Object.entries(labels).map(([key, label]) => `${key}=${label}`).toSorted().join(' ')
      const key = `${name}\n${labelText}`
      const pair = pairs.get(key) ?? { name, labels: labelText, unit, a: undefined, b: undefined }
      pair[side] = value
      pairs.set(key, pair)
    }
  }
  return [...pairs.values()].filter((pair) => pair.a !== pair.b).toSorted((one, other) => change(other) - change(one) || one.name.localeCompare(other.name))
}

/** The sort key of a pair: text changes before numbers by ratio, one-sided facts last. */
function change({ a, b }: FactPair): number {
  if (a === undefined || b === undefined) return -1
  if (typeof a !== 'number' || typeof b !== 'number') return Infinity
  return Math.abs(Math.log((Math.abs(b) + 1e-9) / (Math.abs(a) + 1e-9)))
}

/** A value with its unit. */
export function factText(value: FactPair['a'], unit: string): string {
  if (value === undefined || value === null) return 'not stated'
  if (typeof value !== 'number') return String(value)
  if (unit === 'share') return format.share(value)
  if (unit === 'bytes') return format.bytes(value)
  return `${format.count(value)}${unit && unit !== 'count' ? ` ${unit}` : ''}`
}

/** The ids of all evidence in the folder of `evidenceId`, itself included. */
export function capturedTogether(evidenceId: string, all: readonly Pick<Evidence, 'id' | 'captured_path' | 'parent_id'>[]): string[] {
  const item = all.find(({ id }) => id === evidenceId)
  const folder = folderOf(item?.captured_path ?? '')
  return all.filter(({ id, captured_path, parent_id }) => id === evidenceId || (folder !== '' && parent_id === item?.parent_id && `${captured_path}/`.startsWith(`${folder}/`))).map(({ id }) => id)
}

const folderOf = (path: string) => path.split('/').slice(0, -1).join('/')
