import type { StoryContent } from '../../api'

/** An unsaved draft in browser storage, with the version it is based on; removed once saved on the server. */
export type StoredDraft = { version: number; content: StoryContent }

const PREFIX = 'casebook-story:'
const FIELDS: readonly (keyof StoryContent)[] = ['title', 'area', 'symptoms', 'signatures', 'cases', 'fix', 'text']

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export const draftKey = (accountId: string, story: string): string => `${PREFIX}${accountId}:${story}`

/** Whether two drafts have equal content. */
export function isSame(one: StoryContent, other: StoryContent): boolean {
  return FIELDS.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]))
}

/** The stored draft; null if missing or invalid. */
export function loadDraft(key: string, storage: DraftStorage = localStorage): StoredDraft | null {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as Partial<StoredDraft> | null
    const content = stored?.content
    return typeof stored?.version === 'number' && content && FIELDS.every((field) => field in content) ? { version: stored.version, content } : null
  } catch {
    return null
  }
}

/** Store a draft; null removes it. Returns false if the browser storage fails. */
export function storeDraft(key: string, draft: StoredDraft | null, storage: DraftStorage = localStorage): boolean {
  try {
    if (draft) storage.setItem(key, JSON.stringify(draft))
    else storage.removeItem(key)
    return true
  } catch {
    return false
  }
}

/** Lines of a text, marked if the other text does not contain them. */
export function compareLines(text: string, other: string): { line: string; isOwn: boolean }[] {
  const others = new Set(other.split('\n'))
  return text.split('\n').map((line) => ({ line, isOwn: line.trim() !== '' && !others.has(line) }))
}
