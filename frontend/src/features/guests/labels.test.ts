import { describe, expect, it } from 'vitest'
import { clock, durationText } from './labels'

describe('guest durations', () => {
  it('formats hours and minutes, omitting zero parts', () => {
    expect(durationText(7200)).toBe('2 hours')
    expect(durationText(3900)).toBe('1 hour 5 minutes')
    expect(durationText(60)).toBe('1 minute')
  })
  it('formats less than a minute', () => {
    expect(durationText(59)).toBe('less than a minute')
  })
  it('formats a UTC time of day', () => {
    expect(clock('2026-11-21T03:12:44+00:00')).toBe('03:12 UTC')
  })
})
