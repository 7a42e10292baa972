import type { Evidence } from '../../api'
import { formatsOf, nameOf, STATE_LABELS } from './labels'

/** Files without a folder or a host. */
const NO_FOLDER = 'Single files'

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

const isUnread = (items: readonly Evidence[]) => items.some(({ state }) => state !== 'read')

/** Files by the folder they were dropped with, which often is a host, else by their host; groups with unread files first, then by name. */
export function foldersOf(files: readonly Evidence[]): { folder: string; items: Evidence[] }[] {
  const folders = new Map<string, Evidence[]>()
  for (const item of files) {
    const [folder = NO_FOLDER] = [...nameOf(item).split('/').slice(0, -1), item.host || NO_FOLDER]
    const items = folders.get(folder)
    if (items) items.push(item)
    else folders.set(folder, [item])
  }
  return [...folders]
    .map(([folder, items]) => ({ folder, items }))
    .toSorted((a, b) => Number(isUnread(b.items)) - Number(isUnread(a.items)) || a.folder.localeCompare(b.folder, 'en', { numeric: true }))
}

/** Whether all words of a filter are in the name, the formats or the state of a file. */
export function answers(item: Evidence, filter: string): boolean {
  const text = `${nameOf(item)} ${formatsOf(item)} ${STATE_LABELS[item.state]}`.toLowerCase()
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word))
}
