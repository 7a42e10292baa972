type Row = Record<string, unknown>

export type SignatureDocument = {
  clauses: { id: string; title: string; role: string; weight: number }[]
  affected: string[]
  reported: string[]
  fixes: { title: string; run: string; risk: string; undo: string }[]
  references: { title: string; url: string; status: string }[]
}

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : [])
const text = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

/** Clauses are written as a mapping by id, or given as a list. */
function clausesOf(value: unknown): SignatureDocument['clauses'] {
  const list = isRow(value) ? Object.entries(value).flatMap(([id, clause]) => (isRow(clause) ? [{ id, ...clause } as Row] : [])) : rows(value)
  return list.map((clause) => ({
    id: text(clause.id),
    title: text(clause.title) || text(clause.id).replaceAll('_', ' '),
    role: text(clause.role) || 'corroborates',
    weight: Number(clause.weight ?? 1),
  }))
}

function affectedWords(row: Row): string {
  const range = [row.introduced && `from ${text(row.introduced)}`, row.fixed && `fixed in ${text(row.fixed)}`].filter(Boolean).join(', ')
  return [text(row.ecosystem), text(row.branch), text(row.verdict).replaceAll('_', ' '), range, text(row.basis)].filter(Boolean).join(' · ')
}

/** Only links that a browser may open; a document is data, and data may say anything. */
function isWebLink(url: string): boolean {
  return /^https?:\/\//.test(url)
}

/** What the page shows of a signature's document, whatever else it holds. */
export function readDocument(document: Record<string, unknown>): SignatureDocument {
  return {
    clauses: clausesOf(document.clauses),
    affected: rows(document.affected).map(affectedWords),
    reported: rows(document.reported).map((row) => [text(row.on), text(row.status)].filter(Boolean).join(' · ')),
    fixes: rows(document.fixes).map((fix) => ({ title: text(fix.title), run: text(fix.run), risk: text(fix.risk), undo: text(fix.undo) })),
    references: rows(document.references)
      .map((reference) => ({ title: text(reference.title) || text(reference.url), url: text(reference.url), status: text(reference.status) }))
      .filter((reference) => isWebLink(reference.url)),
  }
}
