import { expect, it } from 'vitest'
import { pinOfRange, pinOfThread, readPin, selectionOfPin } from './pin'

it('round-trips pins', () => {
  expect(readPin(pinOfRange({ t0: 0.5, t1: 2 }) ?? '')).toEqual({ kind: 'time', from: 0.5, to: 2 })
  expect(readPin(pinOfRange({ from_sample: 5, to_sample: 7 }) ?? '')).toEqual({ kind: 'samples', from: 5, to: 7 })
  expect(readPin(pinOfThread(31, 'kworker/0:1 ev'))).toEqual({ kind: 'thread', tid: 31, comm: 'kworker/0:1 ev' })
  expect(readPin(pinOfThread(31, ''))).toEqual({ kind: 'thread', tid: 31, comm: '' })
})

it('parses times in exponent notation', () => {
  expect(readPin(pinOfRange({ t0: 1e-7, t1: 2e-7 }) ?? '')).toEqual({ kind: 'time', from: 1e-7, to: 2e-7 })
})

it('parses a stack whose names resemble another kind of pin', () => {
  expect(readPin('main;time:now')).toEqual({ kind: 'stack', names: ['main', 'time:now'] })
  expect(readPin('time:3-2')).toEqual({ kind: 'stack', names: ['time:3-2'] })
})

it('returns no pin without a selected range', () => {
  expect(pinOfRange({ cpu: [3] })).toBeNull()
})

it('replaces the range or thread and preserves other filters', () => {
  const selection = { t0: 0, t1: 1, cpu: [3], comm: ['mysqld'] }
  expect(selectionOfPin(readPin('samples:5-7'), selection)).toEqual({ cpu: [3], comm: ['mysqld'], from_sample: 5, to_sample: 7 })
  expect(selectionOfPin(readPin('thread:31 x'), selection)).toEqual({ t0: 0, t1: 1, cpu: [3], comm: undefined, tid: [31] })
  expect(selectionOfPin(readPin('main;read'), selection)).toBeNull()
})
