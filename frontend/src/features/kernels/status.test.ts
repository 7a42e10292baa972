import { expect, it } from 'vitest'
import { clearingWords, STATUS } from './status'

it('says what a release clears, leaves unknown and adds', () => {
  expect(clearingWords({ cleared: ['a', 'b'], undecided: [], added: [] }, 6)).toBe('clears 2 of 6')
  expect(clearingWords({ cleared: ['a'], undecided: ['b'], added: ['c', 'd'] }, 2)).toBe('clears 1 of 2, 1 unknown, adds 2')
})

it('tells no two statuses that differ in what to do by colour alone', () => {
  const signs = new Map<string, Set<string>>()
  for (const { sign, tone } of Object.values(STATUS)) signs.set(tone, (signs.get(tone) ?? new Set()).add(sign))
  const distinct = [...signs].filter(([tone]) => tone !== 'none').map(([, each]) => [...each].join())
  expect(new Set(distinct).size).toBe(distinct.length)
})
