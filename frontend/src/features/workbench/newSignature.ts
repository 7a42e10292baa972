/** The text that a new signature begins with: valid, with one condition to replace. */
export const NEW_SIGNATURE = `schema: 1
id: area/name
version: 1
title: What is wrong, and where
severity: medium
status: draft
symptoms: [what people see]
kind: condition
reason: why no kernel release causes or ends it
clauses:
  first:
    title: What the evidence shows
    role: core
    log: {class: oom_kill, at_least: 1, strong: 1, window: 1 h}
    weight: 4
decide:
  require: {any: [first]}
  suspect: {score: 2}
  match: {score: 4, all: [first], min_coverage: 0.5}
next:
  first: kernel_log
`

/** The id in a text: \`mm/my-stall\`; "" without one. */
export const idIn = (text: string): string => /^id:[ \t]*['"]?([a-z0-9-]+\/[a-z0-9-]+)/m.exec(text)?.[1] ?? ''

const PREFIX = 'casebook-signature:'
type TextStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Key of an unsaved text in browser storage. */
export const textKey = (accountId: string, place: string): string => `${PREFIX}${accountId}:${place}`

/** The unsaved text; null without one, or where the storage fails. */
export function storedText(key: string, storage: TextStorage = localStorage): string | null {
  try {
    return storage.getItem(key)
  } catch {
    return null
  }
}

/** Keep an unsaved text; null removes it. */
export function storeText(key: string, text: string | null, storage: TextStorage = localStorage): void {
  try {
    if (text === null) storage.removeItem(key)
    else storage.setItem(key, text)
  } catch {
    // Without storage the text is lost with the page, as in any form.
  }
}
