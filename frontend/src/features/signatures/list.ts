import type { SignatureSummary } from '../../api'

export type Group = { area: string; signatures: SignatureSummary[] }

const RANK: Record<string, number> = { critical: 0, high: 1, medium: 2, low: 3 }

/** The signatures that hold every word of the query, by area; in an area the gravest first. */
export function found(signatures: readonly SignatureSummary[], query: string): Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const groups = new Map<string, SignatureSummary[]>()
  for (const signature of signatures) {
    const text = [signature.id, signature.title, ...signature.symptoms, ...signature.aliases].join(' ').toLowerCase()
    if (words.every((word) => text.includes(word))) groups.set(signature.area, [...(groups.get(signature.area) ?? []), signature])
  }
  return [...groups]
    .map(([area, own]) => ({ area, signatures: own.toSorted((a, b) => (RANK[a.severity] ?? 4) - (RANK[b.severity] ?? 4) || a.id.localeCompare(b.id)) }))
    .toSorted((a, b) => a.area.localeCompare(b.area))
}
