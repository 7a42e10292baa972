/** Drafts of notes in local storage: they survive a closed tab and a lost connection. */

const PREFIX = 'casebook-draft:'

export type Drafts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The storage key of a draft: one per account, case and note. */
export function draftKey(accountId: string, caseId: string, noteId: string): string {
  return `${PREFIX}${accountId}:${caseId}:${noteId || 'new'}`
}

/** The stored draft; null when there is none or storage is unavailable. */
export function loadDraft(key: string, drafts: Drafts = localStorage): string | null {
  try {
    return drafts.getItem(key)
  } catch {
    return null
  }
}

/** Stores a draft, or removes it when it is empty or equal to the saved text. Returns false when storage is unavailable. */
export function storeDraft(key: string, text: string, saved: string, drafts: Drafts = localStorage): boolean {
  try {
    if (text === saved || text.trim() === '') drafts.removeItem(key)
    else drafts.setItem(key, text)
    return true
  } catch {
    return false
  }
}
