import type { Hosts, Verdict } from '../../api'

type Row = Hosts['rows'][number]
type Cell = Row['cells'][number]

const ORDER: readonly Verdict[] = ['match', 'suspect', 'unknown', 'no_match', 'not_applicable']

/** The cell to show for a host: that of the incident itself, else the surest of the other phases. */
export function cellOf(row: Row, host: string): Cell | undefined {
  const of = row.cells.filter((cell) => cell.host === host)
  return of.find(({ phase }) => phase === 'during') ?? of.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))[0]
}

const isFiring = (cell: Cell | undefined) => cell?.verdict === 'match' || cell?.verdict === 'suspect'

/** The one host on which a signature fires while it fires on no other; "" when there is no such one. */
export function aloneOn(row: Row, hosts: readonly string[]): string {
  const firing = hosts.filter((host) => isFiring(cellOf(row, host)))
  return firing.length === 1 && hosts.length > 1 ? (firing[0] ?? '') : ''
}

/** Which host to look at first: the outlier by facts, else the one alone in having findings, else that with most. */
export function suspectHost(told: Hosts, outlier: string | null | undefined): string | undefined {
  const names = told.hosts.filter(({ fact_count }) => fact_count > 0).map(({ name }) => name)
  if (outlier && names.includes(outlier)) return outlier
  const fires = (name: string) => told.rows.filter((row) => isFiring(cellOf(row, name))).length
  return names.toSorted((a, b) => fires(b) - fires(a))[0]
}
