import type { KernelFilter } from '../../api'

const TEXTS = ['q', 'problem', 'family', 'source', 'cluster'] as const
const SORTS = ['-hosts', '-affecting', 'release'] as const

/** Filters of a link; what is not a filter is left out. */
export function readKernelSearch(raw: Record<string, unknown>): KernelFilter {
  const texts = Object.fromEntries(TEXTS.flatMap((name) => (typeof raw[name] === 'string' && raw[name] ? [[name, raw[name]]] : typeof raw[name] === 'number' ? [[name, String(raw[name])]] : [])))
  const sort = SORTS.find((one) => one === raw.sort && one !== '-hosts')
  return { ...texts, ...(sort && { sort }) }
}

/** The filters as a query string, of the table as CSV. */
export function queryOf(filter: KernelFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value)
  return given.length > 0 ? `?${new URLSearchParams(given as [string, string][]).toString()}` : ''
}
