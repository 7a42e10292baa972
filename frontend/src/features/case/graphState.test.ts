import { expect, it } from 'vitest'
import { graphStateOf, isGlance, searchOfChange } from './graphState'
import { clean, readCaseSearch } from './search'

it('says every state of the graph in the address, and reads it back', () => {
  const search = readCaseSearch({
    view: 'lanes', order: 'alpha', inverted: 'true', zoom: '7', node: 8, q: 'lock', wide: true, t0: '0.5', t1: 2, cpu: [1, 3], tid: 42, comm: 'cadvisor',
    focus: ['/lru/'], hide: 'idle', merge: ['do_syscall_64'], collapse: true, idle: 'hidden', weight: 'samples', of: 'vfs_read', by: 'thread', spans: 'leaf',
    base: 'p1', b0: 0, b1: 1.5, least: 0.02, width: 'a', sort: 'total', from: 200, span: 'CPU 3@0.5', at: '7.2', into: 'callers:7.2', seen: 'vfs_read', pin: ['main;read', 'time:0.5-2', 'thread:42 cadvisor'],
  })
  expect(clean(searchOfChange(graphStateOf(search)))).toEqual(search)
})

it('keeps nothing in the address that is as by default', () => {
  expect(clean(searchOfChange(graphStateOf({})))).toEqual({})
})

it('takes half a range, or one that is upside down, for none', () => {
  expect(readCaseSearch({ t0: 3 })).toEqual({})
  expect(readCaseSearch({ t0: 3, t1: 2, s0: 4, s1: 4 })).toEqual({})
})

it('names samples where there is no clock', () => {
  expect(graphStateOf({ s0: 5, s1: 7 }).selection).toEqual({ from_sample: 5, to_sample: 7 })
})

it('steps in the history when the picture changes, not when somebody looks closer', () => {
  expect(isGlance({ node: 4 })).toBe(true)
  expect(isGlance({ q: 'lock' })).toBe(true)
  expect(isGlance({ zoom: 4, node: 4 })).toBe(false)
  expect(isGlance({ selection: {} })).toBe(false)
})

it('forgets what was selected where the next view has no such thing', () => {
  const search = { span: 'CPU 3@0.5', at: '7.2', into: 'callers:7.2' }
  expect(clean({ ...search, ...searchOfChange({ look: 'table' }) })).toEqual({ view: 'table' })
  expect(clean({ ...search, ...searchOfChange({ selection: { cpu: [1] } }) })).toEqual({ cpu: [1] })
  expect(clean({ ...search, ...searchOfChange({ q: 'lock' }) })).toEqual({ ...search, q: 'lock' })
})

it('begins a table again that is sorted or searched anew', () => {
  expect(clean({ from: 200, ...searchOfChange({ sort: 'total' }) })).toEqual({ sort: 'total' })
  expect(clean({ from: 200, ...searchOfChange({ q: 'lock' }) })).toEqual({ q: 'lock' })
})
