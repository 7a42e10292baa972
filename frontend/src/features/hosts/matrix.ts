import type { Hosts, Verdict } from '../../api'

type Row = Hosts['rows'][number]
type Cell = Row['cells'][number]

const ORDER: readonly Verdict[] = ['match', 'suspect', 'unknown', 'no_match', 'not_applicable']

/** The cell to show for a host: the one of the incident, else the strongest verdict of another phase. */
export function cellOf(row: Row, host: string): Cell | undefined {
  const cells = row.cells.filter((cell) => cell.host === host)
  return cells.find(({ phase }) => phase === 'during') ?? cells.toSorted((a, b) => ORDER.indexOf(a.verdict) - ORDER.indexOf(b.verdict))[0]
}

const isPositive = (cell: Cell | undefined) => cell?.verdict === 'match' || cell?.verdict === 'suspect'

/** Hosts of all rows: those with most findings first, then by name; unnamed ones last. */
export function hostsOf(rows: readonly Row[]): string[] {
  const counts = new Map<string, number>()
  for (const cell of rows.flatMap(({ cells }) => cells)) {
    counts.set(cell.host, (counts.get(cell.host) ?? 0) + Number(cell.phase === 'during' && isPositive(cell)))
  }
  return [...counts.keys()].toSorted((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || Number(a === '') - Number(b === '') || a.localeCompare(b))
}

/** The only host on which a signature matches or is suspected; "" if there is not exactly one. */
export function onlyHostOf(row: Row, hosts: readonly string[]): string {
  const positive = hosts.filter((host) => isPositive(cellOf(row, host)))
  return positive.length === 1 && hosts.length > 1 ? (positive[0] ?? '') : ''
}

/** Default host to compare: the outlier by facts, else the host with the most findings. */
export function suspectHost(hosts: Hosts, outlier: string | null | undefined): string | undefined {
  const names = hosts.hosts.filter(({ fact_count }) => fact_count > 0).map(({ name }) => name)
  if (outlier && names.includes(outlier)) return outlier
  const findingCount = (name: string) => hosts.rows.filter((row) => isPositive(cellOf(row, name))).length
  return names.toSorted((a, b) => findingCount(b) - findingCount(a))[0]
}
