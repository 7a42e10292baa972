import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { groupsOf } from './labels'

const file = (id: string, path: string, phase = 'during', parent: string | null = null) => ({ id, captured_path: path.includes('/') ? path : '', filename: path, phase, parent_id: parent }) as Evidence

it('groups files by folder, and archives with their members', () => {
  const groups = groupsOf([file('a', 'cg/memory.stat'), file('b', 'cg/memory.max'), file('c', 'perf.txt', 'after'), file('d', 'sos.tar.xz'), file('e', 'proc/meminfo', 'during', 'd')])
  expect(groups).toEqual([
    { name: 'cg/ 2 files', phase: 'during', ids: ['a', 'b'] },
    { name: 'perf.txt', phase: 'after', ids: ['c'] },
    { name: 'sos.tar.xz', phase: 'during', ids: ['d'] },
  ])
})

it('marks a folder with several phases', () => {
  expect(groupsOf([file('a', 'cg/memory.stat'), file('b', 'cg/memory.max', 'after')])[0]?.phase).toBe('several')
})
