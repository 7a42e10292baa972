import { describe, expect, it } from 'vitest'
import { isReport, keyLines } from './keyLines'

// A report in the format of mm/kasan/report.c, and lines of an OOM report recorded on Linux 6.18.
const KASAN = `[   72.512165][   T17] ==================================
[   72.520532][   T17] BUG: KASAN: use-after-free in demo_complete+0x18f/0x2c0
[   72.527601][   T17] Write of size 4 at addr ffff888100c0aa14 by task kworker/1:0/17
[   72.535386][   T17]
[   72.537703][   T17] CPU: 1 PID: 17 Comm: kworker/1:0 Not tainted 5.3.0-rc5+ #28
[   72.560191][   T17] Call Trace:
[   72.563470][   T17]  dump_stack+0xca/0x13e
[   72.615983][   T17]  demo_complete+0x18f/0x2c0
[   72.641698][   T17]  demo_remove+0x176/0x2c0
[   72.758870][   T17] Allocated by task 2767:
[   72.763177][   T17]  save_stack+0x1b/0x80
[   72.767331][   T17]  __kasan_kmalloc.constprop.0+0xbf/0xd0
[   72.772977][   T17]  demo_request_alloc+0x65/0xb0
[   72.777397][   T17]  demo_probe+0x4b2/0x10b2
[   72.782256][   T17]  platform_probe+0x305/0x7a0`.split('\n')

const OOM = `[Sat Nov 21 00:19:44 2026] query-heap-03 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0
[Sat Nov 21 00:19:44 2026] Call Trace:
[Sat Nov 21 00:19:44 2026]  dump_stack_lvl+0x57/0x80
[Sat Nov 21 00:19:44 2026]  dump_header+0x43/0x1c0
[Sat Nov 21 00:19:44 2026] RIP: 0033:0x55dadb1b12b6
[Sat Nov 21 00:19:44 2026] RAX: 00000000017e2000 RBX: 0000000000000000 RCX: 00007f660f6f89b3
[Sat Nov 21 00:19:44 2026] memory: usage 204800kB, limit 204800kB, failcnt 101
[Sat Nov 21 00:19:44 2026] Memory cgroup stats for /lakehouse-oom:
[Sat Nov 21 00:19:44 2026] cache 0
[Sat Nov 21 00:19:44 2026] swap 0
[Sat Nov 21 00:19:44 2026] rss 0
[Sat Nov 21 00:19:44 2026] [  pid  ]   uid  tgid total_vm      rss name
[Sat Nov 21 00:19:44 2026] [   6253]     0  6253   111217    51323 memcg_reclaim_s
[Sat Nov 21 00:19:44 2026] oom-kill:constraint=CONSTRAINT_MEMCG,oom_memcg=/lakehouse-oom,task=memcg_reclaim_s,pid=6253
[Sat Nov 21 00:19:44 2026] Memory cgroup out of memory: Killed process 6253 (memcg_reclaim_s) total-vm:444868kB`.split('\n')

describe('the decisive lines of a kernel report', () => {
  it('name the fault, the code and the owner of the object, not checker and allocator', () => {
    expect(keyLines(KASAN, 5).map(({ number }) => number)).toEqual([6, 7, 9, 12, 13, 14, 17, 18])
  })

  it('name group, limit and victim of an OOM kill', () => {
    expect(keyLines(OOM, 1).map(({ number }) => number)).toEqual([1, 7, 8, 14, 15])
  })

  it('are left out where the range is short enough to read', () => {
    expect(keyLines(OOM.slice(0, 5), 1)).toEqual([])
  })
})

const log = (line: number) => (line === 12 ? 'BUG: KASAN: use-after-free in foo' : ' foo+0x1/0x2')

it('a long range is a report only where a line names what happened', () => {
  expect(isReport(10, 40, log)).toBe(true)
  expect(isReport(13, 40, log)).toBe(false)
  expect(isReport(10, 15, log)).toBe(false)
  expect(isReport(10, 40, () => undefined)).toBe(false)
})
