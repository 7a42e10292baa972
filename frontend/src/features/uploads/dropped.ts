import type { Dropped } from '../../api'

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject))
}

/** All files at and below an entry, with their paths from the dropped folder on. */
async function walk(entry: FileSystemEntry): Promise<Dropped[]> {
  const path = entry.fullPath.replace(/^\//, '')
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: Dropped[] = []
  // A browser hands out at most 100 entries at a time, and an empty list at the end.
  for (let some = await entriesOf(reader); some.length > 0; some = await entriesOf(reader)) {
    for (const child of some) found.push(...(await walk(child)))
  }
  return found
}

/** The files of a drop; folders are walked and become captured paths. */
export async function filesOfDrop(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry())
  if (entries.some((entry) => entry === null)) return filesOfList(transfer.files)
  const found = await Promise.all(entries.map((entry) => walk(entry as FileSystemEntry)))
  return found.flat()
}

/** The files of a browse dialog; `webkitRelativePath` is set when a folder was chosen. */
export function filesOfList(files: FileList): Dropped[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
}
