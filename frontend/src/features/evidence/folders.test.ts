import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { answers, foldersOf, treeOf } from './folders'

const file = (filename: string, fields: Partial<Evidence> = {}) => ({ id: filename, filename, captured_path: '', parent_id: null, state: 'read', sections: [], ...fields }) as unknown as Evidence

const web = (path: string, host: string, fields: Partial<Evidence> = {}) => file(path, { host, phase: 'during', ...fields })

it('separates folders of different hosts at any depth, those with unread files first', () => {
  const files = [web('x/y/web-01/a', 'web-01'), web('x/y/web-02/a', 'web-02'), web('x/y/web-02/proc/b', 'web-02', { state: 'rejected' }), web('x/y/notes', '')]
  const { path, folders, files: beside } = foldersOf(files)
  expect(path).toBe('x/y')
  expect(folders.map((one) => [one.path, one.all.length])).toEqual([['x/y/web-02', 2], ['x/y/web-01', 1]])
  expect(beside.map(({ id }) => id)).toEqual(['x/y/notes'])
})

it('leaves a few files of one host and phase together', () => {
  expect(foldersOf([web('x/proc/a', 'db7'), web('x/b', 'db7')]).folders).toEqual([])
  expect(foldersOf([]).folders).toEqual([])
})

it('separates many files, and folders of several files, whose place nobody knows', () => {
  const many = Array.from({ length: 41 }, (_, at) => web(at < 40 ? `left/${at}` : 'right/0', ''))
  expect(foldersOf(many).folders.map(({ path }) => path)).toEqual(['left', 'right'])
  expect(foldersOf([...many.slice(0, 2), web('right/0', ''), web('right/1', '')]).folders).toHaveLength(2)
})

it('keeps the members of an archive with it', () => {
  const { top, members } = treeOf([file('sos.tar'), file('a', { parent_id: 'sos.tar' }), file('b', { parent_id: 'sos.tar' })])
  expect(top.map(({ id }) => id)).toEqual(['sos.tar'])
  expect(members.get('sos.tar')?.map(({ id }) => id)).toEqual(['a', 'b'])
})

it('finds files by all words of a filter, in name or state', () => {
  expect(answers(file('db7/junk.bin', { state: 'rejected' }), 'db7 rejected')).toBe(true)
  expect(answers(file('db7/dmesg.txt'), 'db7 rejected')).toBe(false)
})
