import type { Evidence } from '../../api'
import { formatsOf, nameOf, STATE_LABELS } from './labels'

/** More files than this are folded by folder even when all are of one host and phase. */
export const MAX_FLAT = 40
/** Deeper folders are not separated. */
const MAX_DEPTH = 8

/** The files that were added, and the members of each archive by its id. */
export function treeOf(evidence: readonly Evidence[]): { top: Evidence[]; members: Map<string, Evidence[]> } {
  const top: Evidence[] = []
  const members = new Map<string, Evidence[]>()
  for (const item of evidence) {
    const siblings = item.parent_id === null ? top : members.get(item.parent_id)
    if (siblings) siblings.push(item)
    else members.set(String(item.parent_id), [item])
  }
  return { top, members }
}

/** A folder as it was dropped: all files below it, and those beside its folders. */
export type Folder = { path: string; all: Evidence[]; files: Evidence[]; folders: Folder[] }

const isUnread = (items: readonly Evidence[]) => items.some(({ state }) => state !== 'read')
const partsOf = (item: Evidence) => nameOf(item).split('/').slice(0, -1)

/**
 * Files by folder. A folder is separated from its siblings where hosts or phases differ, where there are many files,
 * or where several folders hold several files each; folders with unread files first, then by name.
 */
export function foldersOf(all: readonly Evidence[], path: readonly string[] = []): Folder {
  const at = path.length
  const below = new Map<string, Evidence[]>()
  for (const item of all) {
    const part = partsOf(item)[at]
    if (part !== undefined) below.set(part, [...(below.get(part) ?? []), item])
  }
  const leaf = { path: path.join('/'), all: [...all], files: [...all], folders: [] }
  const [only] = [...below]
  if (at >= MAX_DEPTH || !only) return leaf
  if (below.size === 1 && only[1].length === all.length) return foldersOf(all, [...path, only[0]])
  const places = new Set(all.map(({ host, phase }) => `${host}\n${phase}`))
  const large = [...below.values()].filter((items) => items.length > 1)
  if (places.size === 1 && all.length <= MAX_FLAT && large.length < 2) return leaf
  const folders = [...below]
    .map(([part, items]) => foldersOf(items, [...path, part]))
    .toSorted((a, b) => Number(isUnread(b.all)) - Number(isUnread(a.all)) || a.path.localeCompare(b.path, 'en', { numeric: true }))
  return { ...leaf, files: all.filter((item) => partsOf(item)[at] === undefined), folders }
}

/** Whether all words of a filter are in the name, the formats, the state, the host or the phase of a file. */
export function answers(item: Evidence, filter: string): boolean {
  const text = `${nameOf(item)} ${formatsOf(item)} ${STATE_LABELS[item.state]} ${item.host} ${item.phase}`.toLowerCase()
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}
