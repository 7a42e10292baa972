/** A term of a query, with the places of its first character and the one after it. */
export type QueryTerm = { text: string; start: number; end: number }

/** The terms of a query; a quoted text is part of its term. Parentheses and OR are terms of their own. */
export function termsOf(query: string): QueryTerm[] {
  const terms: QueryTerm[] = []
  let start = -1
  let isQuoted = false
  for (let at = 0; at <= query.length; at++) {
    const character = query[at]
    const isEnd = character === undefined || (!isQuoted && /\s/.test(character))
    if (character === '"' && query[at - 1] !== '\\') isQuoted = !isQuoted
    if (isEnd && start >= 0) {
      terms.push({ text: query.slice(start, at), start, end: at })
      start = -1
    } else if (!isEnd && start < 0) start = at
  }
  return terms
}

export const hasTerm = (query: string, term: string): boolean => termsOf(query).some(({ text }) => text.toLowerCase() === term.toLowerCase())

/** The query with a term added, or without it where it has it. */
export function toggleTerm(query: string, term: string): string {
  const terms = termsOf(query)
  const others = terms.filter(({ text }) => text.toLowerCase() !== term.toLowerCase())
  return (others.length < terms.length ? others.map(({ text }) => text) : [...terms.map(({ text }) => text), term]).join(' ')
}

/** The query with a suggestion in place of the characters `start` to `end`, and where the cursor goes. */
export function complete(query: string, { start, end }: { start: number; end: number }, text: string): { query: string; cursor: number } {
  const isOpen = text.endsWith(':')
  const rest = query.slice(end).trimStart()
  const before = query.slice(0, start) + text + (isOpen ? '' : ' ')
  return { query: before + rest, cursor: before.length }
}

/** The column that an error names, from 1; null without one. */
export function columnOf(message: string): number | null {
  const found = /\(column (\d+)\)/.exec(message)
  return found ? Number(found[1]) : null
}
