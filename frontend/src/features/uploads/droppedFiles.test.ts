import { expect, it } from 'vitest'
import { filesOfDrop, filesOfList } from './droppedFiles'

const file = (name: string) => new File(['x'], name)

function fileEntry(path: string): FileSystemEntry {
  return { isFile: true, fullPath: path, file: (resolve: (file: File) => void) => resolve(file(path)) } as unknown as FileSystemEntry
}

function folderEntry(path: string, ...batchesOfChildren: FileSystemEntry[][]): FileSystemEntry {
  const remaining = [...batchesOfChildren]
  return {
    isFile: false,
    fullPath: path,
    createReader: () => ({ readEntries: (resolve: (entries: FileSystemEntry[]) => void) => resolve(remaining.shift() ?? []) }),
  } as unknown as FileSystemEntry
}

function drop(...entries: FileSystemEntry[]): DataTransfer {
  return { items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })) } as unknown as DataTransfer
}

it('returns the path of every file in a dropped folder', async () => {
  const tree = folderEntry('/host', [folderEntry('/host/proc', [fileEntry('/host/proc/vmstat')])], [fileEntry('/host/perf.script')])
  expect((await filesOfDrop(drop(tree))).map((item) => item.path)).toEqual(['host/proc/vmstat', 'host/perf.script'])
})

it('reads a folder that the browser returns in batches', async () => {
  const batches = [['/d/a', '/d/b'], ['/d/c'], ['/d/e']].map((names) => names.map(fileEntry))
  expect(await filesOfDrop(drop(folderEntry('/d', ...batches)))).toHaveLength(4)
})

it('uses the file name as the path of a single file', () => {
  expect(filesOfList([file('perf.txt')] as unknown as FileList)[0]?.path).toBe('perf.txt')
})
