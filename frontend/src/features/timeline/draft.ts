/** What somebody is writing is kept in this browser at every key, so that a closed tab or a lost line loses nothing. */

const PREFIX = 'casebook-draft:'

export type Drafts = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The name under which the draft of one account for one text is kept. */
export function draftKey(accountId: string, caseId: string, noteId: string): string {
  return `${PREFIX}${accountId}:${caseId}:${noteId || 'new'}`
}

/** The kept draft; null when there is none, or the browser keeps nothing. */
export function loadDraft(key: string, drafts: Drafts = localStorage): string | null {
  try {
    return drafts.getItem(key)
  } catch {
    return null
  }
}

/** Keep a draft; one that says nothing more than what is saved is forgotten. False when the browser keeps nothing. */
export function keepDraft(key: string, text: string, saved: string, drafts: Drafts = localStorage): boolean {
  try {
    if (text === saved || text.trim() === '') drafts.removeItem(key)
    else drafts.setItem(key, text)
    return true
  } catch {
    return false
  }
}
