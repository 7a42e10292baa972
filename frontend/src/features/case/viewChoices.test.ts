import { describe, expect, it } from 'vitest'
import { viewChoices } from './viewChoices'

const offered = (shown: 'lines' | 'numbers', hasData: { numbers: boolean; waits: boolean }) => viewChoices(undefined, [], shown, hasData).map(({ value }) => value)

describe('viewChoices', () => {
  it('offers text without numbers and waits its lines only', () => {
    expect(offered('lines', { numbers: false, waits: false })).toEqual(['lines'])
  })

  it('offers the views that the text has data for', () => {
    expect(offered('lines', { numbers: true, waits: false })).toEqual(['lines', 'numbers'])
    expect(offered('lines', { numbers: false, waits: true })).toEqual(['lines', 'waits'])
  })

  it('keeps the view that a link opened', () => {
    expect(offered('numbers', { numbers: false, waits: false })).toEqual(['lines', 'numbers'])
  })
})
