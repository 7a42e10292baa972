"""The functions of a report that say what the kernel was doing."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log.call_path import path_of

KASAN = """\
  BUG: KASAN: slab-use-after-free in _raw_spin_lock_irqsave include/linux/spinlock.h:110 [inline]
  BUG: KASAN: slab-use-after-free in _raw_spin_lock_irqsave+0xa7/0xf0 kernel/locking/spinlock.c:162
  Read of size 1 at addr ffff88805eae1030 by task kworker/0:7/5989
  Call Trace:
   <TASK>
   dump_stack_lvl+0x189/0x250
   kasan_report+0x118/0x150
   _raw_spin_lock_irqsave+0xa7/0xf0
   drain_ring+0x79/0x430
   stop_ring+0x115/0x190
"""
LOCKDEP = """\
WARNING: possible circular locking dependency detected
6.12.0 #1 Not tainted
------------------------------------------------------
reader/4103 is trying to acquire lock:
ffff88801b1d60a0 (&ring->mutex){+.+.}-{3:3}, at: drain_ring+0x79/0x430
but task is already holding lock:
ffff88801b1d6010 (&mm->mmap_lock){++++}-{3:3}, at: vm_mmap_pgoff+0x158/0x3b0
"""
ARM = """\
Unable to handle kernel NULL pointer dereference at virtual address 00000000
[00000000] *pgd=8c44e003, *pmd=e0940003
Internal error: Oops: 207 [#1] PREEMPT SMP ARM
PC is at drain_ring+0xa0/0x74c
LR is at 0x82c00000
Flags: nZCv  IRQs off  FIQs on  Mode SVC_32  ISA ARM  Segment none
Control: 30c5387d  Table: 8437b900  DAC: 00000000
Register r0 information: slab kmalloc-512 start 8280e800 pointer offset 0 size 512
Register r1 information: non-paged memory
Register r2 information: NULL pointer
Register r3 information: NULL pointer
Call trace:
 drain_ring+0xa0/0x74c
 stop_ring+0x115/0x190
"""
DECODED = """\
WARNING: CPU: 1 PID: 9 at drivers/ring.c:33 drain_ring+0x79/0x430
Call Trace:
 <TASK>
 drain_ring (drivers/ring.c:33 (discriminator 2))
 stop_ring (drivers/ring.c:71)
"""
EXPEDITED = """\
rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 13-.... } 30 jiffies s: 169 root: 0x2000/.
Call Trace:
 <TASK>
 ? memcpy_toio+0x76/0xc0
 ? drain_ring+0x79/0x430
"""
ANNOUNCED = """\
refcount_t: underflow; use-after-free.
WARNING: CPU: 1 PID: 36 at lib/refcount.c:19 refcount_warn_saturate+0xf4/0x1e0
Call Trace:
 refcount_warn_saturate+0xf4/0x1e0
 drain_ring+0x79/0x430
"""


def records(text):
    return kernel_log.read(Text(text.splitlines(), 1, "")).log_records


def test_functions_that_every_report_has_are_left_out():
    trace = "dump_stack_lvl print_report kasan_report __list_del_entry mutex_lock drain.isra.0 stop free_ring"
    assert path_of(trace.split()) == "drain ← stop ← free_ring"
    assert path_of(["__schedule", "schedule", "kthread", "ret_from_fork"]) == ""


@pytest.mark.parametrize(
    ("text", "kind", "stack"),
    [
        (KASAN, "kasan", "drain_ring ← stop_ring"),
        (ARM, "null_pointer", "drain_ring ← stop_ring"),
        (DECODED, "warn", "drain_ring ← stop_ring"),
        (EXPEDITED, "rcu_stall", "probably drain_ring"),
        (ANNOUNCED, "refcount_bug", "drain_ring"),
    ],
    ids=["inlined and indented", "registers in between", "decoded", "all doubtful", "announced"],
)
def test_a_report_is_one_record_and_names_its_functions(text, kind, stack):
    (record,) = records(text)
    assert (record.kind, record.fields["stack"]) == (kind, stack)


def test_lockdep_names_both_locks_and_who_takes_them():
    (record,) = records(LOCKDEP)
    fields = {name: record.fields[name] for name in ("lock", "place", "held", "held_in")}
    assert fields == {
        "lock": "&ring->mutex",
        "place": "drain_ring",
        "held": "&mm->mmap_lock",
        "held_in": "vm_mmap_pgoff",
    }


def test_stacks_of_a_dump_on_request_are_no_alarm():
    asked = "[  10.10000] sysrq: Show backtrace of all active CPUs\n[  10.20000] NMI backtrace for cpu 1\n"
    dumped = (
        "[  10.30000] task:dd state:D stack:0 pid:9 tgid:9 ppid:1 flags:0x4002\n[  10.40000] Call Trace:\n"
    )
    old = "[  10.50000] dd              D ffff88062fd95e00     0 22274      2 0x00000080\n"
    found = records(asked + dumped + old)
    assert [(one.kind, one.severity) for one in found] == [
        ("sysrq", "notice"),
        ("task_stack", "notice"),
        ("task_stack", "notice"),
        ("task_stack", "notice"),
    ]
    assert [one.kind for one in records("[  99.90000] Call Trace:\n[  99.90000]  drain_ring+0x1/0x2\n")] == [
        "call_trace"
    ]


def test_a_syslog_with_priority_and_iso_stamp_has_levels():
    line = "<4>2024-04-17T00:26:33.540821+05:30 web1 kernel: [   29.751657] sd 1:0:0:0: [sdb] Media removed"
    (record,) = records(line)
    assert (record.level, record.uptime) == (4, 29.751657)


PANIC_ON_WARN = """\
[   44.471332] WARNING: CPU: 1 PID: 2992 at lib/refcount.c:186 refcount_sub_and_test+0x167/0x1b0
[   44.479978] Kernel panic - not syncing: panic_on_warn set ...
[   44.487309] CPU: 1 PID: 2992 Comm: reader Not tainted 4.14.0 #91
[   44.503948] Call Trace:
[   44.506504]  dump_stack+0x194/0x257
[   44.518798]  panic+0x1e4/0x417
[   44.522100]  __warn+0x1c4/0x1d9
[   44.553200]  refcount_sub_and_test+0x167/0x1b0
[   44.560000]  drain_ring+0x79/0x430
"""
POINTER_ALONE = """\
[ 1722.510515] general protection fault: 0000 [#1] SMP
[ 1722.511384] CPU: 3 PID: 6856 Comm: reader Not tainted 4.8.0 #8
[ 1722.511384] RIP: 0010:[<ffffffff8213c531>]  [<ffffffff8213c531>] drain_ring.isra.6+0x111/0x470
"""
OLD_ARM = """\
[ 7978.984043] WARNING: CPU: 0 PID: 7864 at lib/debugobjects.c:505 debug_print_object+0xb0/0xc4
[ 7979.064032] Backtrace:
[ 7979.095000] [<83678310>] (warn_slowpath_fmt) from [<8143e868>] (debug_print_object+0xb0/0xc4)
[ 7979.096072]  r8:83705e38 r7:8405b918 r6:8acfbf30 r5:85006060 r4:8454f4f8
[ 7979.099174] [<8143e7b8>] (debug_print_object) from [<8144001c>] (drain_ring+0x1f8/0x2b4)
"""


def test_a_panic_on_a_warning_leaves_the_stack_to_the_warning():
    warning, panic = records(PANIC_ON_WARN)
    assert (warning.kind, warning.fields["stack"], panic.kind) == ("warn", "drain_ring", "panic")


@pytest.mark.parametrize("text", [POINTER_ALONE, OLD_ARM], ids=["no trace", "registers of old ARM"])
def test_the_function_is_named_without_a_usual_trace(text):
    assert records(text)[0].fields["stack"] == "drain_ring"


def test_a_trace_of_common_functions_alone_names_its_system_call():
    assert path_of(["dump_stack", "__schedule", "__se_sys_mremap", "do_syscall_64"]) == "mremap"
