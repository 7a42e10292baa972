import { describe, expect, it } from 'vitest'
import { dayOf, traitText } from './seen'

describe('a case that was seen before', () => {
  it('has a year when it is not of this one', () => {
    const now = new Date('2026-11-29T05:00:00Z')
    expect(dayOf('2026-11-12T23:59:00Z', now)).toBe('12 Nov')
    expect(dayOf('2025-12-31T23:59:00Z', now)).toBe('31 Dec 2025')
  })
  it('says what is common, whatever the kind', () => {
    expect(traitText('class:nvme_timeout/nvme')).toBe('Kernel log: nvme_timeout/nvme')
    expect(traitText('function:std::sort')).toBe('Function: std::sort')
    expect(traitText('new:x')).toBe('new: x')
  })
})
