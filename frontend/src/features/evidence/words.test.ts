import { expect, it } from 'vitest'
import type { Evidence } from '../../api'
import { summary } from './words'

const item = (given: Partial<Evidence>) => ({ parent_id: null, state: 'read', progress_share: null, ...given }) as Evidence

it('says how many could not be read', () => {
  expect(summary([item({}), item({ state: 'rejected' }), item({})])).toBe('3 files, 1 could not be read')
})

it('says how far reading is, over all files', () => {
  expect(summary([item({}), item({ state: 'reading', progress_share: 0.5 })])).toBe('2 files, 75 % read')
})

it('counts members of archives apart', () => {
  expect(summary([item({}), item({ parent_id: 'a' }), item({ parent_id: 'a' })])).toBe('1 file with 2 members')
})
