import { describe, expect, it } from 'vitest'
import type { PhaseRow, Phases } from '../../api'
import { clauseOf, findingOf } from '../findings'
import { figuresOf, outcomeOf, verifyingCapture } from './verification'

const value = (phase: 'during' | 'after', state: string, observed: number | null) => ({ phase, state, observed, reason: '' })
const row = {
  signature: 'mm/a',
  host: 'db7',
  outcome: 'cleared',
  because: 'not met after: Hold',
  cells: [{ phase: 'during' }, { phase: 'after' }],
  clauses: [
    { id: 'hold', title: 'Hold', role: 'core', unit: 'seconds', threshold: 1, values: [value('during', 'TRUE', 564), value('after', 'FALSE', 0.012)] },
    { id: 'same', title: 'Same', role: 'core', unit: '', threshold: 1, values: [value('during', 'TRUE', 2), value('after', 'TRUE', 2)] },
    { id: 'seen', title: 'Seen', role: 'core', unit: '', threshold: 1, values: [value('during', 'TRUE', null), value('after', 'FALSE', null)] },
  ],
} as unknown as PhaseRow
const phases = (since: 'after' | 'during' | null) => ({ counts: {}, sick: 'during', since, rows: [row] }) as unknown as Phases
const finding = findingOf({ signature: 'mm/a', host: 'db7', clauses: [clauseOf({ id: 'hold', role: 'core', state: 'TRUE' })], extract: { cgroup_version: 'v1' } })

describe('the outcome of a change', () => {
  it('is that of the finding on its host, and of evidence of after the change only', () => {
    expect(outcomeOf(phases('after'), finding)?.label).toBe('Cleared')
    expect(outcomeOf(phases('after'), { ...finding, host: 'db8' })).toBeUndefined()
    expect(outcomeOf(phases('during'), finding)).toBeUndefined()
    expect(outcomeOf(undefined, finding)).toBeUndefined()
  })

  it('has the values of the conditions that turned, and of no other', () => {
    expect(figuresOf(row)).toEqual([{ title: 'Hold', before: '564 s', after: '12 ms' }])
  })
})

describe('the verifying capture', () => {
  it('shows a required condition that is met, by the version of the cgroup', () => {
    const next = { hold: [{ title: 'Files', run: 'cat v2', cgroup: 'v2' }, { title: 'Files', run: 'cat v1', cgroup: 'v1' }], other: [{ title: 'Other', run: 'x' }] }
    expect(verifyingCapture({ next }, finding)).toEqual({ title: 'Files', run: 'cat v1' })
    expect(verifyingCapture({ next: { other: next.other } }, finding)).toBeUndefined()
    expect(verifyingCapture(undefined, finding)).toBeUndefined()
  })
})
