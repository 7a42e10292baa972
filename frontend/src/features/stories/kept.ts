import type { StoryContent } from '../../api'

/** What is typed is kept in this browser at every key, with the version it was begun from, until the server has it. */
export type Kept = { version: number; content: StoryContent }

const PREFIX = 'casebook-story:'
const FIELDS: readonly (keyof StoryContent)[] = ['title', 'area', 'symptoms', 'signatures', 'cases', 'fix', 'text']

export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const keptKey = (accountId: string, story: string): string => `${PREFIX}${accountId}:${story}`

/** Do two drafts say the same? */
export function isSame(one: StoryContent, other: StoryContent): boolean {
  return FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}

/** What was kept; null when nothing was, or it cannot be read. */
export function loadKept(key: string, shelf: Shelf = localStorage): Kept | null {
  try {
    const kept = JSON.parse(shelf.getItem(key) ?? 'null') as Partial<Kept> | null
    const content = kept?.content
    return typeof kept?.version === 'number' && content && FIELDS.every((field) => field in content) ? { version: kept.version, content } : null
  } catch {
    return null
  }
}

/** Keep, or with null forget. False when the browser keeps nothing. */
export function keep(key: string, kept: Kept | null, shelf: Shelf = localStorage): boolean {
  try {
    if (kept) shelf.setItem(key, JSON.stringify(kept))
    else shelf.removeItem(key)
    return true
  } catch {
    return false
  }
}

/** The lines of a text, each with whether the other text has it too. */
export function marked(text: string, other: string): { line: string; isOwn: boolean }[] {
  const others = new Set(other.split('\n'))
  return text.split('\n').map((line) => ({ line, isOwn: line.trim() !== '' && !others.has(line) }))
}
