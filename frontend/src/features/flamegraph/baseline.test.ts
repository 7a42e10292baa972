import { expect, it } from 'vitest'
import type { Profile } from '../../api'
import { proposeBaselines } from './baseline'

const profileOf = (some: Partial<Profile>) => ({ id: 'p', evidence_name: 'busy/perf.script', event: 'cycles', unit: 'samples', weight: 5, has_weights: true, has_time: false, from_s: null, to_s: null, ...some }) as Profile

it('proposes recordings of the same event, the same file name first', () => {
  const profiles = [
    profileOf({}),
    profileOf({ id: 'heavy', evidence_name: 'other.txt', weight: 99 }),
    profileOf({ id: 'idle', evidence_name: 'idle/perf.script' }),
    profileOf({ id: 'event', event: 'faults' }),
    profileOf({ id: 'bare', has_weights: false }),
  ]
  expect(proposeBaselines(profileOf({}), profiles).map(({ change }) => change.base)).toEqual(['idle', 'heavy'])
})

it('proposes the halves of a recording with timestamps', () => {
  const [halves] = proposeBaselines(profileOf({ has_time: true, from_s: 100, to_s: 120 }), [])
  expect(halves).toMatchObject({ change: { base: 'p', baseFrom: 0, baseTo: 10, selection: { t0: 10, t1: 20 } } })
  expect(proposeBaselines(profileOf({}), [profileOf({})])).toEqual([])
})
