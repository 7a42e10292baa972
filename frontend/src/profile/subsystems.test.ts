import { expect, it } from 'vitest'
import { colourIndex, hueAt, hueOf, HUES, kindColours, SHADES } from './kinds'

it.each([
  ['shrink_lruvec', 'memory'],
  ['__alloc_pages_slowpath.constprop.0', 'memory'],
  ['asm_exc_page_fault', 'memory'],
  ['native_queued_spin_lock_slowpath', 'locks'],
  ['rwsem_down_read_slowpath', 'locks'],
  ['__mutex_lock.constprop.0', 'locks'],
  ['ext4_file_write_iter', 'files'],
  ['blk_mq_submit_bio', 'block'],
  ['tcp_v4_rcv', 'network'],
  ['__schedule', 'scheduler'],
  ['do_syscall_64', 'kernel'],
  ['entry_SYSCALL_64_after_hwframe', 'kernel'],
])('colours %s as %s', (name, hue) => {
  expect(hueOf(name, 'kernel')).toBe(hue)
})

it('looks for subsystems in the kernel only', () => {
  expect(hueOf('mutex_lock', 'user')).toBe('user')
  expect(hueOf('tcp_rcv', 'no such kind')).toBe('unknown')
})

it('has a colour of its own for every hue', () => {
  expect(new Set(kindColours(false)).size).toBe(HUES.length * SHADES)
  expect(new Set(kindColours(true)).size).toBe(HUES.length * SHADES)
  expect(hueAt(colourIndex('tcp_v4_rcv', 'kernel'))).toBe('network')
})
