import { describe, expect, it } from 'vitest'
import { clock, span } from './words'

describe('how long a guest has', () => {
  it('is said in hours and minutes, without what is nothing', () => {
    expect(span(7200)).toBe('2 hours')
    expect(span(3900)).toBe('1 hour 5 minutes')
    expect(span(60)).toBe('1 minute')
  })
  it('is never said to be nothing while there is some left', () => {
    expect(span(59)).toBe('less than a minute')
  })
  it('ends at a time of UTC', () => {
    expect(clock('2026-11-21T03:12:44+00:00')).toBe('03:12 UTC')
  })
})
