import { describe, expect, it } from 'vitest'
import { changeColours, changeStep, changeLabel, signedShare, STEPS } from './difference'

describe('a difference', () => {
  it('has a label', () => {
    expect([
      changeLabel({ a: 0.1, b: 0 }),
      changeLabel({ a: 0, b: 0.1 }),
      changeLabel({ a: 0.1, b: 0.2 }),
      changeLabel({ a: 0.2, b: 0.1 }),
      changeLabel({ a: 0.2, b: 0.2001 }),
    ]).toEqual(['only in A', 'only in B', 'more in B', 'less in B', 'unchanged'])
  })

  it('is always signed, and ± when it rounds to zero', () => {
    expect([signedShare(0.123), signedShare(-0.04), signedShare(0.0001), signedShare(0)]).toEqual(['+12.3 %', '−4.0 %', '±0.0 %', '±0.0 %'])
  })

  it('has a colour step by its size and sign', () => {
    expect(changeStep({ a: 0.2, b: 0.2 })).toBe(STEPS)
    expect([changeStep({ a: 0, b: 0.3 }), changeStep({ a: 0.3, b: 0 })]).toEqual([2 * STEPS, 0])
    expect(changeStep({ a: 0.1, b: 0.102 })).toBe(STEPS + 1)
    expect(changeStep({ a: 0.1, b: 0.102 }, 0.01)).toBe(STEPS)
  })

  it.each([true, false])('has different colours for every step (dark %s)', (isDark) => {
    expect(new Set(changeColours(isDark)).size).toBe(2 * STEPS + 1)
  })
})
