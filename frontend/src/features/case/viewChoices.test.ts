import type { Profile } from '../../api'
import { describe, expect, it } from 'vitest'
import { viewChoices } from './viewChoices'

const offered = (shown: 'lines' | 'numbers', hasData: { numbers: boolean; waits: boolean }) => viewChoices(undefined, [], [shown], hasData).map(({ value }) => value)

describe('viewChoices', () => {
  it('offers text without numbers and waits its lines only', () => {
    expect(offered('lines', { numbers: false, waits: false })).toEqual(['lines'])
  })

  it('offers the views that the text has data for', () => {
    expect(offered('lines', { numbers: true, waits: false })).toEqual(['lines', 'numbers'])
    expect(offered('lines', { numbers: false, waits: true })).toEqual(['lines', 'waits'])
  })

  it('offers numbers and waits beside a profile only where the case has them', () => {
    const profile = { has_weights: true, samples: 900, has_time: false, is_ordered: false } as Profile
    const beside = (hasData: { numbers: boolean; waits: boolean }) => viewChoices(profile, [profile], ['flame'], hasData).map(({ value }) => value)
    expect(beside({ numbers: false, waits: false })).toEqual(['flame', 'icicle', 'sandwich', 'table', 'speedscope'])
    expect(beside({ numbers: true, waits: true })).toEqual(['flame', 'icicle', 'sandwich', 'table', 'numbers', 'waits', 'speedscope'])
  })

  it('offers one stack of a report as its lines, not as a graph of rows of 100 %', () => {
    const one = { has_weights: false, samples: 1, has_time: true, is_ordered: true } as Profile
    expect(viewChoices(one, [one], ['lines'], { numbers: false, waits: false }).map(({ value }) => value)).toEqual(['lines'])
    const several = { ...one, samples: 4 } as Profile
    expect(viewChoices(several, [several], ['lines'], { numbers: false, waits: false }).map(({ value }) => value)).toContain('flame')
  })

  it('keeps the view that a link opened', () => {
    expect(offered('numbers', { numbers: false, waits: false })).toEqual(['lines', 'numbers'])
  })
})
