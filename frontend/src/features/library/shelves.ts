import type { Facet, LibraryResult } from '../../api'

export type Shelf = 'area' | 'symptom'

type OnShelf = { value: string; title: string; results: LibraryResult[] }

const OTHER = { value: 'other', title: 'Other' }

/** Signatures by the values of a facet, in its order; one with several symptoms stands on several shelves. */
export function shelvesOf(results: readonly LibraryResult[], by: Shelf, facet: readonly Pick<Facet, 'value' | 'title'>[]): OnShelf[] {
  const valuesOf = (result: LibraryResult) => (by === 'area' ? [result.area] : result.groups)
  const known = new Set(facet.map((value) => value.value))
  const shelves = facet.map(({ value, title }) => ({ value, title, results: results.filter((result) => valuesOf(result).includes(value)) }))
  const others = results.filter((result) => !valuesOf(result).some((value) => known.has(value)))
  return [...shelves, { ...OTHER, results: others }].filter((shelf) => shelf.results.length > 0)
}
