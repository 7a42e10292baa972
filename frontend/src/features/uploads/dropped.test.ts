import { expect, it } from 'vitest'
import { filesOfDrop, filesOfList } from './dropped'

const file = (name: string) => new File(['x'], name)

function fileEntry(path: string): FileSystemEntry {
  return { isFile: true, fullPath: path, file: (give: (file: File) => void) => give(file(path)) } as unknown as FileSystemEntry
}

function folderEntry(path: string, ...batchesOfChildren: FileSystemEntry[][]): FileSystemEntry {
  const left = [...batchesOfChildren]
  return {
    isFile: false,
    fullPath: path,
    createReader: () => ({ readEntries: (give: (entries: FileSystemEntry[]) => void) => give(left.shift() ?? []) }),
  } as unknown as FileSystemEntry
}

function drop(...entries: FileSystemEntry[]): DataTransfer {
  return { items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })) } as unknown as DataTransfer
}

it('keeps the path of every file below a dropped folder', async () => {
  const tree = folderEntry('/host', [folderEntry('/host/proc', [fileEntry('/host/proc/vmstat')])], [fileEntry('/host/perf.script')])
  expect((await filesOfDrop(drop(tree))).map((item) => item.path)).toEqual(['host/proc/vmstat', 'host/perf.script'])
})

it('reads a folder to its end although a browser hands out pieces', async () => {
  const pieces = [['/d/a', '/d/b'], ['/d/c'], ['/d/e']].map((names) => names.map(fileEntry))
  expect(await filesOfDrop(drop(folderEntry('/d', ...pieces)))).toHaveLength(4)
})

it('gives loose files their names', () => {
  expect(filesOfList([file('perf.txt')] as unknown as FileList)[0]?.path).toBe('perf.txt')
})
