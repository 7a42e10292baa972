import type { Facet, LibraryResult } from '../../api'

export type Shelf = 'area' | 'symptom' | 'story'

/** A story of the library: that of a signature, or one of the team. */
export type LibraryStory = { key: string; kind: 'signature' | 'story'; title: string; lead: string; minutes: number }

type OnShelf = { value: string; title: string; results: LibraryResult[] }

const OTHER = { value: 'other', title: 'Other' }

/** The stories of results, in their order; a signature without a story has none. */
export function storiesOf(results: readonly LibraryResult[]): LibraryStory[] {
  return results.flatMap(({ kind, key, title, headline, lead, reading_minutes: minutes }) => {
    const name = kind === 'story' ? title.map((part) => part.text).join('') : headline
    return name === '' ? [] : [{ key, kind, title: name, lead, minutes }]
  })
}

/** Signatures by the values of a facet, in its order; one with several symptoms stands on several shelves. */
export function shelvesOf(results: readonly LibraryResult[], by: 'area' | 'symptom', facet: readonly Pick<Facet, 'value' | 'title'>[]): OnShelf[] {
  const valuesOf = (result: LibraryResult) => (by === 'area' ? [result.area] : result.groups)
  const known = new Set(facet.map((value) => value.value))
  const shelves = facet.map(({ value, title }) => ({ value, title, results: results.filter((result) => valuesOf(result).includes(value)) }))
  const others = results.filter((result) => !valuesOf(result).some((value) => known.has(value)))
  return [...shelves, { ...OTHER, results: others }].filter((shelf) => shelf.results.length > 0)
}
