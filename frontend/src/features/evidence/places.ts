import type { Evidence, Phase, Placement } from '../../api'
import { format } from '../../profile'

export const PHASES: readonly Phase[] = ['before', 'during', 'after']

/** A change of host or phase; null returns to what the evidence and its folders suggest. */
export type PlaceChange = Pick<Placement, 'host' | 'phase'>

const MAX_PLACES = 6
const ORDER = new Intl.Collator('en', { numeric: true })

/** `web-01 (20, during) · web-02 (20, during)`; "" when all files are of one unnamed host and phase. */
export function placesOf(evidence: readonly Evidence[]): string {
  const counts = new Map<string, { host: string; phase: Phase; count: number }>()
  for (const { host, phase, parent_id, state } of evidence) {
    if (parent_id !== null || state === 'rejected') continue
    const key = `${host}\n${phase}`
    const place = counts.get(key) ?? { host, phase, count: 0 }
    counts.set(key, { ...place, count: place.count + 1 })
  }
  const places = [...counts.values()].toSorted((a, b) => Number(a.host === '') - Number(b.host === '') || ORDER.compare(a.host, b.host) || PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase))
  if (places.length === 0 || (places.length === 1 && places[0]?.host === '' && places[0].phase === 'during')) return ''
  const words = places.slice(0, MAX_PLACES).map(({ host, phase, count }) => `${host || 'no host'} (${format.count(count)}, ${phase})`)
  return [...words, ...(places.length > MAX_PLACES ? [`${places.length - MAX_PLACES} more`] : [])].join(' · ')
}

/** The value that all files share, and on which basis; `several` when they differ. */
export function sharedPlace(items: readonly Evidence[], field: 'host' | 'phase'): { value: string; basis: string; isSeveral: boolean } {
  const values = new Set(items.map((item) => item[field]))
  const bases = new Set(items.map((item) => item[`${field}_basis`]))
  const [value = ''] = values
  const [basis = ''] = bases
  return { value: values.size === 1 ? value : '', basis: bases.size === 1 ? basis : bases.has('assumed') ? 'assumed' : '', isSeveral: values.size > 1 }
}

/** The requests that take `change` back: what people had set is set again, the rest is suggested again. */
export function undoOf(items: readonly Evidence[], change: PlaceChange): Placement[] {
  const groups = new Map<string, Placement>()
  for (const item of items) {
    const before: PlaceChange = {
      ...('host' in change && { host: item.host_basis === 'set' ? item.host : null }),
      ...('phase' in change && { phase: item.phase_basis === 'set' ? item.phase : null }),
    }
    const key = JSON.stringify(before)
    const ids = groups.get(key)?.evidence_ids ?? []
    groups.set(key, { ...before, evidence_ids: [...ids, item.id] })
  }
  return [...groups.values()]
}
