import { expect, it } from 'vitest'
import type { Case } from '../../api'
import { overwritten } from './edits'

const base = { title: 'db7 stalls', state: 'open', severity: null, resolution: null, evidence_count: 1 } as Case
const ended = { signature: '', cause: 'the limit', fix: 'raised' }

it('overwrites what somebody else wrote in the same field', () => {
  expect(overwritten(base, { ...base, title: 'by somebody else' }, { title: 'mine' })).toEqual(['title'])
  expect(overwritten(base, { ...base, state: 'closed', resolution: ended }, { state: 'closed', resolution: { ...ended, cause: 'the disk' } })).toEqual(['resolution'])
})

it('overwrites nothing where they wrote elsewhere, wrote the same, or only evidence came', () => {
  expect(overwritten(base, { ...base, state: 'closed', resolution: ended }, { title: 'mine' })).toEqual([])
  expect(overwritten(base, { ...base, title: 'mine' }, { title: 'mine' })).toEqual([])
  expect(overwritten(base, { ...base, resolution: ended }, { resolution: { fix: 'raised', cause: 'the limit', signature: '' } })).toEqual([])
  expect(overwritten(base, { ...base, evidence_count: 7 }, { title: 'mine', state: 'closed' })).toEqual([])
})
