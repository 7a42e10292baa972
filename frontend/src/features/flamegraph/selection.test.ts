import { expect, it } from 'vitest'
import { hasRange, patternOf, withoutRange, withPattern, withRange } from './selection'

it('replaces a range of time or of samples', () => {
  expect(withRange({ cpu: [1], from_sample: 3, to_sample: 9 }, { t0: 1, t1: 2 })).toEqual({ cpu: [1], t0: 1, t1: 2 })
  expect(withRange({ cpu: [1], t0: 1, t1: 2 }, null)).toEqual({ cpu: [1] })
  expect([hasRange({ t0: 0, t1: 1 }), hasRange({ from_sample: 0, to_sample: 1 }), hasRange(withoutRange({ t0: 0, t1: 1 }))]).toEqual([true, true, false])
})

it('adds a pattern once', () => {
  expect(withPattern({ hide: ['swapper'] }, 'hide', 'swapper')).toEqual({ hide: ['swapper'] })
  expect(withPattern({ hide: ['swapper'] }, 'hide', 'idle')).toEqual({ hide: ['swapper', 'idle'] })
})

it('escapes a name that looks like an expression', () => {
  expect([patternOf('vfs_read'), patternOf('/usr/bin/')]).toEqual(['vfs_read', '/^/usr/bin/$/'])
})
