import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { isUnread, nameOf, summary } from './labels'

const item = (fields: Partial<Evidence>) => ({ parent_id: null, state: 'read', host: '', phase: 'during', progress_share: null, ...fields }) as Evidence

it('counts unreadable files', () => {
  expect(summary([item({}), item({ state: 'rejected' }), item({})])).toBe('3 files, 1 could not be read')
})

it('counts cancelled files apart, which can be read again', () => {
  expect(summary([item({}), item({ state: 'cancelled' })])).toBe('2 files, 1 cancelled')
  expect([item({}), item({ state: 'cancelled' }), item({ state: 'reading' })].map(isUnread)).toEqual([false, true, false])
})

it('shows reading progress over all files', () => {
  expect(summary([item({}), item({ state: 'reading', progress_share: 0.5 })])).toBe('2 files, 75 % read')
})

it('counts archive members separately', () => {
  expect(summary([item({}), item({ parent_id: 'a' }), item({ parent_id: 'a' })])).toBe('1 file with 2 members')
})

it('shows what turns the direction of a name', () => {
  expect(nameOf({ captured_path: '', filename: 'invoice\u202etxt.exe' })).toBe('invoice�txt.exe')
})
