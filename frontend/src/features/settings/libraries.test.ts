import { describe, expect, it } from 'vitest'
import type { Hunt } from '../../api'
import { hasPreview, huntWords, nameFrom, signatureWords } from './libraries'

const HUNT = { applies: false, gained: 14, lost: 1, failed: 0, done: 9200, total: 9300, state: 'done', version_id: 'v1' } as Hunt

describe('a hunt in words', () => {
  it('counts cases of those that were done', () => {
    expect(huntWords(HUNT)).toBe('Gains 14 of 9,200 cases, loses 1')
  })
  it('names what could not be judged, and what an applied one did', () => {
    expect(huntWords({ ...HUNT, applies: true, failed: 2 })).toBe('Gained 14 of 9,200 cases, lost 1; 2 could not be judged')
  })
  it('is a preview of a version once it is done', () => {
    expect([hasPreview([HUNT], 'v1'), hasPreview([{ ...HUNT, state: 'running' }], 'v1'), hasPreview([HUNT], 'v2')]).toEqual([true, false, false])
  })
})

describe('a version in words', () => {
  it('names the shipped version that a signature replaces', () => {
    const one = { id: 'net/x', version: 9, title: '', status: 'draft' }
    expect([signatureWords({ ...one, shadows: 2 }), signatureWords({ ...one, shadows: null })]).toEqual(['version 9, in place of version 2 of Casebook', 'version 9'])
  })
})

describe('a name for a library', () => {
  it('is that of the repository or archive', () => {
    expect(['https://git.example.com/Payments/Our Signatures.git', 'payments-main.tar.gz', 'https://x/y/', '.zip'].map(nameFrom)).toEqual(['our-signatures', 'payments-main', 'y', ''])
  })
})
