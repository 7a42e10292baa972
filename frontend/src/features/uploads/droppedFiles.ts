import type { Dropped } from '../../api'

function entriesOf(reader: FileSystemDirectoryReader): Promise<FileSystemEntry[]> {
  return new Promise((resolve, reject) => reader.readEntries(resolve, reject))
}

/** All files of an entry, recursively, with paths relative to the drop. */
async function walk(entry: FileSystemEntry): Promise<Dropped[]> {
  const path = entry.fullPath.replace(/^\//, '')
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ file, path }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const files: Dropped[] = []
  // Browsers return at most 100 entries per call, and an empty list at the end.
  for (let batch = await entriesOf(reader); batch.length > 0; batch = await entriesOf(reader)) {
    for (const child of batch) files.push(...(await walk(child)))
  }
  return files
}

/** The files of a drop, including those in folders; their paths become captured paths. */
export async function filesOfDrop(transfer: DataTransfer): Promise<Dropped[]> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry())
  if (entries.some((entry) => entry === null)) return filesOfList(transfer.files)
  const lists = await Promise.all(entries.map((entry) => walk(entry as FileSystemEntry)))
  return lists.flat()
}

/** The files of a file dialog; `webkitRelativePath` is set for a folder. */
export function filesOfList(files: FileList): Dropped[] {
  return [...files].map((file) => ({ file, path: file.webkitRelativePath || file.name }))
}
