// @vitest-environment jsdom -- the list of uploads, which it imports, listens to the window
import { expect, it } from 'vitest'
import { graphStateOf, isMinorChange, searchOfChange } from './graphState'
import { clean, readCaseSearch } from './search'

it('round-trips every graph state through the URL', () => {
  const search = readCaseSearch({
    view: 'lanes', order: 'alpha', inverted: 'true', zoom: '7', symbols: 'all', node: 8, q: 'lock', wide: true, t0: '0.5', t1: 2, cpu: [1, 3], tid: 42, comm: 'cadvisor',
    focus: ['/lru/'], hide: 'idle', merge: ['do_syscall_64'], collapse: true, idle: 'hidden', weight: 'samples', of: 'vfs_read', by: 'thread', spans: 'leaf',
    base: 'p1', b0: 0, b1: 1.5, least: 0.02, width: 'a', sort: 'total', from: 200, span: 'CPU 3@0.5', at: '7.2', into: 'callers:7.2', seen: 'vfs_read', pin: ['main;read', 'time:0.5-2', 'thread:42 cadvisor'],
  })
  expect(clean(searchOfChange(graphStateOf(search)))).toEqual(search)
})

it('keeps the whole graph in the link until something is zoomed into', () => {
  const whole = readCaseSearch({ whole: true })
  expect(clean(searchOfChange(graphStateOf(whole)))).toEqual(whole)
  expect(clean({ ...whole, ...searchOfChange({ zoom: 4 }) })).toEqual({ zoom: 4 })
})

it('omits defaults from the URL', () => {
  expect(clean(searchOfChange(graphStateOf({})))).toEqual({})
})

it('ignores an incomplete or reversed range', () => {
  expect(readCaseSearch({ t0: 3 })).toEqual({})
  expect(readCaseSearch({ t0: 3, t1: 2, s0: 4, s1: 4 })).toEqual({})
})

it('selects by sample index when the recording has no timestamps', () => {
  expect(graphStateOf({ s0: 5, s1: 7 }).selection).toEqual({ from_sample: 5, to_sample: 7 })
})

it('adds a history entry for zoom and filters, not for selection or search', () => {
  expect(isMinorChange({ node: 4 })).toBe(true)
  expect(isMinorChange({ q: 'lock' })).toBe(true)
  expect(isMinorChange({ zoom: 4, node: 4 })).toBe(false)
  expect(isMinorChange({ selection: {} })).toBe(false)
})

it('drops a selection that the next view does not have', () => {
  const search = { span: 'CPU 3@0.5', at: '7.2', into: 'callers:7.2' }
  expect(clean({ ...search, ...searchOfChange({ look: 'table' }) })).toEqual({ view: 'table' })
  expect(clean({ ...search, ...searchOfChange({ selection: { cpu: [1] } }) })).toEqual({ cpu: [1] })
  expect(clean({ ...search, ...searchOfChange({ q: 'lock' }) })).toEqual({ ...search, q: 'lock' })
})

it('resets the table offset after sorting or searching', () => {
  expect(clean({ from: 200, ...searchOfChange({ sort: 'total' }) })).toEqual({ sort: 'total' })
  expect(clean({ from: 200, ...searchOfChange({ q: 'lock' }) })).toEqual({ q: 'lock' })
})
