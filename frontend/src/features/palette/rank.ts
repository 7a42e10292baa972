/** One line of the palette; `words` are found, too, but not shown. */
export type Entry = { id: string; group: string; label: string; hint?: string | undefined; words?: string; act: () => void }

/** Lines shown of one group: the best of each remain visible without scrolling far. */
const MOST_PER_GROUP = 6

const isWordStart = (text: string, at: number) => at === 0 || /[^\p{L}\p{N}]/u.test(text.charAt(at - 1))

/** How well a text answers the query, 0 if a word of the query is absent: at its beginning, at a word, within one. */
export function score(query: string, text: string): number {
  const lower = text.toLowerCase()
  let total = 1
  for (const word of query.toLowerCase().split(/\s+/).filter(Boolean)) {
    const at = lower.indexOf(word)
    if (at < 0) return 0
    total += at === 0 ? 3 : isWordStart(lower, at) ? 2 : 1
  }
  return total
}

/** The entries that answer the query, best first within their group; groups keep their order. */
export function ranked(query: string, entries: readonly Entry[]): Entry[] {
  const groups = [...new Set(entries.map(({ group }) => group))]
  const scored = entries.map((entry) => ({ entry, score: score(query, `${entry.label} ${entry.group} ${entry.hint ?? ''} ${entry.words ?? ''}`) })).filter(({ score: found }) => found > 0)
  return groups.flatMap((group) =>
    scored
      .filter(({ entry }) => entry.group === group)
      .toSorted((a, b) => b.score - a.score)
      .slice(0, MOST_PER_GROUP)
      .map(({ entry }) => entry),
  )
}
