import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { groupsOf } from './words'

const file = (id: string, path: string, phase = 'during', parent: string | null = null) => ({ id, captured_path: path.includes('/') ? path : '', filename: path, phase, parent_id: parent }) as Evidence

it('moves what was captured together at once, and archives as a whole', () => {
  const groups = groupsOf([file('a', 'cg/memory.stat'), file('b', 'cg/memory.max'), file('c', 'perf.txt', 'after'), file('d', 'sos.tar.xz'), file('e', 'proc/meminfo', 'during', 'd')])
  expect(groups).toEqual([
    { name: 'cg/ 2 files', phase: 'during', ids: ['a', 'b'] },
    { name: 'perf.txt', phase: 'after', ids: ['c'] },
    { name: 'sos.tar.xz', phase: 'during', ids: ['d'] },
  ])
})

it('says when a folder is spread over several phases', () => {
  expect(groupsOf([file('a', 'cg/memory.stat'), file('b', 'cg/memory.max', 'after')])[0]?.phase).toBe('several')
})
