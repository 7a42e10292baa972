import type { CaseOverview, Clause, Finding } from '../../api'
import type { LineNote } from '../evidence'

const MAX_NOTES = 12
const MAX_TEXT = 96

type Statement = CaseOverview['statements'][number]

const short = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1).trimEnd()}…` : text)

/** What lines of a file show: the met conditions of the finding, or the statements of the overview; the first of a line is kept. */
export function notesOf(evidenceId: string | undefined, finding: Finding | undefined, statements: readonly Statement[], current: Clause | null, lead?: Statement): LineNote[] {
  const isAnswer = finding?.verdict === 'match' || finding?.verdict === 'suspect'
  const sources = isAnswer
    ? finding.clauses.filter(({ state, role }) => state === 'TRUE' && role !== 'rival').map((clause) => ({ id: clause.id, text: clause.title || clause.id.replaceAll('_', ' '), citations: clause.citations }))
    : statements.map(({ text, citations }) => ({ id: text, text: text === lead?.text ? 'the headline' : text, citations }))
  const notes = new Map<number, LineNote>()
  for (const { text, citations } of sources.toSorted((a, b) => Number(b.id === current?.id) - Number(a.id === current?.id))) {
    const own = citations.filter((one) => one.evidence_id === evidenceId)
    for (const [at, { first_line: first, last_line: last }] of own.entries()) {
      // Lines of one source follow each other: the first says what they show.
      const isNamed = at === 0
      if (!notes.has(first)) notes.set(first, { first, last, text: isNamed ? short(text) : '' })
    }
  }
  return [...notes.values()].slice(0, MAX_NOTES)
}

const NAME = /[\w.:/@-]*[\d_][\w.:/@-]*(?![\w.:/@=-])|\b\w+\/\w+/g

/** Names and numbers of a text that a line may hold, too: `eth0`, `0000:00:19.0`, `557056`; no keys such as `order=`. */
export function namesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => text.match(NAME) ?? []).map((name) => name.replace(/^[.:/-]+|[.:/-]+$/g, ''))
  return [...new Set(found)].filter((name) => name.length > 1 && !/^0x|^\d\d$|^I\/O$/.test(name)).toSorted((a, b) => b.length - a.length)
}
