type Row = Record<string, unknown>

export type Check = { kind: string; text: string }
export type Clause = { id: string; title: string; role: string; weight: number; isVeto: boolean; ruledOutBy: string[]; checks: Check[] }
export type Kernel = { aspect: string; where: string; range: string; basis: string; status: string }
export type Fix = { title: string; kind: string; run: string; undo: string; rows: [string, string][] }
export type FixRecord = { name: string; subject: string; fixed: string[]; absent: string[]; introduced: string; status: string; note: string; lines: string[]; links: { title: string; url: string }[] }
export type Capture = { title: string; run: string; cost: string; needs: string; settles: string[]; clauses: string[] }
export type Decide = {
  require: { all: string[]; any: string[]; notFalse: string[]; atLeast: { count: number; of: string[] } }
  suspect: { score: number; any: string[] }
  match: { score: number; all: string[]; any: string[]; pairs: string[][] }
}

export type SignatureDocument = {
  clauses: Clause[]
  decide: Decide
  kernels: Kernel[]
  /** Why no kernel release causes or ends it; empty for a defect. */
  reason: string
  fixRecords: FixRecord[]
  reported: { on: string; verdict: string; status: string }[]
  fixes: Fix[]
  captures: Capture[]
  references: { title: string; url: string; status: string; check: string }[]
}

/** Verification levels as text; other values are shown as written. */
const STATUS_LABELS: Record<string, string> = { UNVERIFIED: 'unverified', 'STORY-ONLY': 'from the story only' }

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
const rows = (value: unknown): Row[] => (Array.isArray(value) ? value.filter(isRow) : [])
const written = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : Array.isArray(value) ? value.map(written).filter(Boolean).join('; ') : ''
/** Text for readers: tags of curators are words. */
const text = (value: unknown): string => written(value).replaceAll('UNVERIFIED', 'not verified').replaceAll('STORY-ONLY', 'from the story only')

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(text).filter(Boolean) : [])

/** Label of a verification level. */
const statusOf = (row: Row): string => STATUS_LABELS[written(row.status)] ?? text(row.status)

/** What readers need of a status: whether a fact is unverified. How others were verified is for curators. */
const doubtOf = (row: Row): string => (/UNVERIFIED|STORY-ONLY/.test(written(row.status)) ? statusOf(row) : '')

/** Whether the linked page was read, as a doubt; a reference without link says how it is known. */
const linkDoubtOf = (row: Row): string => {
  if (row.checked) return ''
  return doubtOf(row) || (isWebLink(written(row.url)) && !/verified/.test(written(row.status)) ? 'link not checked' : '')
}

/** Clauses of the document, a mapping by id or a list. */
function clausesOf(value: unknown): Clause[] {
  const list = isRow(value) ? Object.entries(value).flatMap(([id, clause]) => (isRow(clause) ? [{ id, ...clause } as Row] : [])) : rows(value)
  return list.map((clause) => ({
    id: text(clause.id),
    title: text(clause.title) || text(clause.id).replaceAll('_', ' '),
    role: text(clause.role) || 'corroborates',
    weight: Number(clause.weight ?? 1),
    isVeto: clause.veto === true,
    ruledOutBy: texts(clause.ruled_out_by),
    checks: rows(clause.asks).map((check) => ({ kind: text(check.kind), text: text(check.text) })),
  }))
}

function kernelOf(row: Row): Kernel {
  const range = [row.introduced && `from ${text(row.introduced)}`, row.fixed && `fixed in ${text(row.fixed)}`, text(row.verdict).replaceAll('_', ' ')]
  return {
    aspect: text(row.aspect),
    where: [text(row.ecosystem), text(row.branch), text(row.flavour)].filter(Boolean).join(' '),
    range: range.filter(Boolean).join(', ') || 'affected',
    basis: text(row.basis),
    status: statusOf(row),
  }
}

const LINE_WORDS = [
  ['clean', 'without the fault up to'],
  ['faulty', 'with it from'],
  ['lacks', 'without the fix up to'],
  ['fixed', 'with the fix from'],
] as const

const lineWords = (builds: Row): string =>
  LINE_WORDS.filter(([key]) => builds[key])
    .map(([key, words]) => `${words} ${text(builds[key])}`)
    .join(', ')

function fixRecordOf(row: Row): FixRecord {
  return {
    name: text(row.name),
    subject: text(row.subject),
    fixed: texts(row.fixed),
    absent: texts(row.absent),
    introduced: text(row.introduced),
    status: statusOf(row),
    note: text(row.note),
    lines: isRow(row.lines) ? Object.entries(row.lines).map(([name, builds]) => `${name}: ${lineWords(isRow(builds) ? builds : {})}`) : [],
    links: rows(row.links).map((link) => ({ title: text(link.title), url: isWebLink(text(link.url)) ? text(link.url) : '' })),
  }
}

const FIX_ROWS = [
  ['Scope', 'scope'],
  ['Run on', 'first_on'],
  ['Risk', 'risk'],
  ['Unsafe if', 'unsafe_if'],
  ['Needs', 'needs'],
  ['Fixed in', 'fixed_in'],
  ['Avoid', 'avoid'],
  ['As of', 'as_of'],
  ['Verify', 'verify'],
  ['Note', 'note'],
  ['Verification', 'status'],
] as const

function fixOf(fix: Row): Fix {
  const fixRows = FIX_ROWS.map(([name, key]): [string, string] => [name, key === 'status' ? statusOf(fix) : text(fix[key])]).filter(([, value]) => value !== '')
  return { title: text(fix.title), kind: text(fix.kind), run: text(fix.run), undo: text(fix.undo), rows: fixRows }
}

/** Distinct captures with the conditions they decide. */
function capturesOf(value: unknown, clauses: Clause[]): Capture[] {
  const found = new Map<string, Capture>()
  for (const [id, list] of isRow(value) ? Object.entries(value) : []) {
    const settles = clauses.find((clause) => clause.id === id)?.title ?? id.replaceAll('_', ' ')
    for (const row of rows(list)) {
      const run = text(row.run)
      const known = found.get(run)
      if (known) {
        known.settles.push(settles)
        known.clauses.push(id)
      } else found.set(run, { title: text(row.title), run, cost: text(row.cost), needs: text(row.needs), settles: [settles], clauses: [id] })
    }
  }
  return [...found.values()]
}

const rowOf = (value: unknown): Row => (isRow(value) ? value : {})

/** The rules of a verdict; ids of clauses. */
function decideOf(value: unknown): Decide {
  const { require, suspect, match } = rowOf(value)
  const [needs, suspected, matched, some] = [rowOf(require), rowOf(suspect), rowOf(match), rowOf(rowOf(require).at_least)]
  return {
    require: { all: texts(needs.all), any: texts(needs.any), notFalse: texts(needs.not_false), atLeast: { count: Number(some.count ?? 0), of: texts(some.of) } },
    suspect: { score: Number(suspected.score ?? 0), any: texts(suspected.any) },
    match: { score: Number(matched.score ?? 0), all: texts(matched.all), any: texts(matched.any), pairs: Array.isArray(matched.any_of_pairs) ? matched.any_of_pairs.map(texts) : [] },
  }
}

/** Whether a URL is safe to link; documents are untrusted. */
function isWebLink(url: string): boolean {
  return /^https?:\/\//.test(url)
}

/** Parse the parts of a signature document that the page shows; tolerates any shape. */
export function readDocument(document: Record<string, unknown>): SignatureDocument {
  const clauses = clausesOf(document.clauses)
  return {
    clauses,
    decide: decideOf(document.decide),
    reason: document.kind === 'condition' ? text(document.reason) : '',
    kernels: rows(document.affected).map(kernelOf),
    fixRecords: rows(document.fix_records).map(fixRecordOf),
    reported: rows(document.reported).map((row) => ({ on: text(row.on), verdict: text(row.verdict), status: statusOf(row) })),
    fixes: rows(document.fixes).map(fixOf),
    captures: capturesOf(document.next, clauses),
    references: rows(document.references).map((reference) => {
      const url = text(reference.url)
      const title = [text(reference.id), text(reference.title)].filter(Boolean).join(' ') || url
      return { title, url: isWebLink(url) ? url : '', status: linkDoubtOf(reference), check: reference.checked ? `Checked ${text(reference.checked)}: ${text(reference.copy)}` : '' }
    }),
  }
}
