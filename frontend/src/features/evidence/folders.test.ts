import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { answers, foldersOf, treeOf } from './folders'

const file = (filename: string, fields: Partial<Evidence> = {}) => ({ id: filename, filename, captured_path: '', parent_id: null, state: 'read', sections: [], ...fields }) as unknown as Evidence

it('lists folders with unread files first, then in the order of their numbers', () => {
  const files = [file('db10/dmesg.txt'), file('db2/dmesg.txt'), file('db7/junk.bin', { state: 'rejected' }), file('notes.txt')]
  expect(foldersOf(files).map(({ folder, items }) => [folder, items.length])).toEqual([['db7', 1], ['db2', 1], ['db10', 1], ['Single files', 1]])
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
