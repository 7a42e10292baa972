"""Stacks and calls as people paste them: the first screen names what waits, and for what."""

from __future__ import annotations

import json

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

VFORK = """\
dslower 1000 --stack
20:43:12 [000] containerd-shim  1940112 2517
        finish_task_switch+0x1
        schedule+0x29
        schedule_timeout+0x221
        wait_for_completion_killable+0x131
        do_fork+0x189
        sys_clone+0x16
20:43:12 [001]
"""

COUNTS = """\
ep_poll          x88  main thread (HTTP idle)
[kvm]            x86  vCPU thread parked in kvm_vcpu_halt
vhost_task_fn    x51  vhost-net
futex_wait_queue x16
submit_bio_wait  x3   snapshot writer
"""

POINTERS = """\
[349233.417098] NMI backtrace for cpu 10 skipped: idling at pc 0xffffffffa5210e15
[349233.417175] NMI backtrace for cpu 11 skipped: idling at pc 0xffffffffa5210e15

    $ sudo cat /proc/33018/stack
    [<ffffffffa4e39bd0>] SyS_tee+0x3a0/0x3a0
    [<ffffffffa4e3197e>] wb_wait_for_completion+0x5e/0x90
    [<ffffffffa4cb9c50>] prepare_to_wait_event+0xf0/0xf0
    [<ffffffffa4e338ca>] sync_inodes_sb+0xaa/0x280
    [<ffffffffa4e39f32>] sys_sync+0x42/0xb0
    [<ffffffffffffffff>] 0xffffffffffffffff
"""

RAID = """\
[<0>] stop_sync_thread+0x12a/0x1d0 [md_mod]
[<0>] __md_stop_writes+0x15/0xe0 [md_mod]
[<0>] md_stop+0x12/0x20 [md_mod]
[<0>] __x64_sys_ioctl+0x94/0xd0
"""

TIMERS = """\
[pid  6173] futex(0x7f1c3c0bce54, FUTEX_WAIT_BITSET_PRIVATE, 1, {5120, 256843419}, ffffffff <unfinished ...>
[pid  6175] <... futex resumed> )       = -1 ETIMEDOUT (Connection timed out)
[pid  6175] futex(0x7f1c3cbd6f28, FUTEX_WAKE_PRIVATE, 1) = 0
[pid  6175] futex(0x7f1c3cbd6f54, FUTEX_WAIT_BITSET_PRIVATE, 1, {5120, 346953979}, ffffffff <unfinished ...>
[pid  6173] <... futex resumed> )       = -1 ETIMEDOUT (Connection timed out)
[pid  6173] futex(0x7f1c3c0bce28, FUTEX_WAKE_PRIVATE, 1) = 0
"""

GOVERNOR = """\
[ 4179.853799] INFO: task kworker/0:1:3310 blocked for more than 120 seconds.
[ 4179.853822] kworker/0:1     D    0  3310      2 0x00000000
[ 4179.853850] Workqueue: events dbs_work_handler
[ 4179.853883] [<80713b70>] (__schedule) from [<80714094>] (schedule+0x50/0xa8)
"""

DOUBTFUL = """\
[ 2431.809351] "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.
[ 2431.810100] kworker/0:0     D    0  2931      2 0x00000000
[ 2431.810137] Workqueue: kcopyd do_work [dm_mod]
[ 2431.810164] Call Trace:
[ 2431.810188]  [<ffffffff8780fe79>] ? __schedule+0x239/0x6f0
[ 2431.810195]  [<ffffffff87500144>] ? kblockd_schedule_work_on+0x14/0x20
[ 2431.810202]  [<ffffffff87810362>] ? schedule+0x32/0x80
[ 2431.810252]  [<ffffffff8750fcb0>] ? bt_get.isra.6+0x160/0x220
[ 2431.810264]  [<ffffffff87510023>] ? blk_mq_get_tag+0x23/0x90
"""

LTRACE = """\
7712 10:11:01 malloc(4096)                                 = 0x55d0a8c012a0
7712 10:11:01 getaddrinfo("db.internal", "5432", 0x7ffd1a2c3b40, 0x7ffd1a2c3b38) = 0
7712 10:11:16 free(0x55d0a8c012a0)                         = <void>
7712 10:11:16 malloc(512)                                  = 0x55d0a8c022b0
"""

RELATIVE = """\
[pid 7712]   0.000000 malloc(4096)                                 = 0x55d0a8c012a0
[pid 7712]   0.000102 getaddrinfo("db.internal", "5432", 0x7ffd1a2c3b40, 0x7ffd1a2c3b38) = 0
[pid 7712]  15.020211 free(0x55d0a8c012a0)                         = <void>
[pid 7712]   0.000071 malloc(512)                                  = 0x55d0a8c022b0
"""

WRAPPED = """\
> Task | Runtime ms | Count | Avg delay ms |
> Max delay ms | Max delay start | Max delay end |
> Proxy HTTP Pr:3133982 | 0.080 ms | 1 | avg: 881.614 ms |
> max: 881.614 ms | max start: 312881.567210 s | max end: 312882.448824 s
> 312882.448911 [0118] Proxy HTTP Pr[3133982/3045241 0.000
> 881.614 0.087 S
"""

PRINTED = """\
Attaching 3 probes...
10:11:01 pid=4411 comm=postgres fsync lat=12 us
10:11:09 pid=4412 comm=postgres fsync lat=6811202 us
10:11:10 pid=4411 comm=postgres fsync lat=14 us
"""

LOOP = """\
/proc/3321/task/3321 nginx ep_poll 232 0xb 0x55d8 0x200 0xffffffffffffffff 0x0 0x0 0x7ffd 0x7f0e
/proc/3321/task/3341 nginx rpc_wait_bit_killable 262 0xffffff9c 0x7f01 0x7ffc 0x0 0x0 0x0 0x7ffd 0x7f0e
/proc/3321/task/3342 nginx rpc_wait_bit_killable 262 0xffffff9c 0x7f01 0x7ffc 0x0 0x0 0x0 0x7ffd 0x7f0e
"""

MUTEXES = """\
Type: delay
-----------+-------------------------------------------------------
   41.20s   sync.(*Mutex).Lock
             example.com/app/cache.(*Store).Get
-----------+-------------------------------------------------------
    2.10s   runtime.chanrecv1
             example.com/app/queue.(*Q).Next
-----------+-------------------------------------------------------
"""

SPIN = ["native_queued_spin_lock_slowpath", "_raw_spin_lock", "unix_stream_sendmsg", "main.work"]


def _perf() -> str:
    chain = [{"ip": "0x1", "symbol": name, "dso": "[kernel.kallsyms]"} for name in SPIN]
    samples = [{"timestamp": at, "pid": 7, "tid": 7, "comm": "app", "callchain": chain} for at in range(300)]
    return json.dumps({"linux-perf-json-version": 1, "samples": samples})


def _otlp() -> str:
    sample = {"stackIndex": 1, "values": ["300"]}
    kind = {"typeStrindex": 1, "unitStrindex": 2}
    profile = {"sampleType": kind, "sample": [sample]}
    dictionary = {
        "stringTable": ["", "samples", "count", *SPIN],
        "functionTable": [{}, *({"nameStrindex": at} for at in range(3, 7))],
        "locationTable": [{}, *({"line": [{"functionIndex": at}]} for at in range(1, 5))],
        "stackTable": [{}, {"locationIndices": [1, 2, 3, 4]}],
    }
    scopes = [{"profiles": [profile]}]
    return json.dumps({"resourceProfiles": [{"scopeProfiles": scopes}], "dictionary": dictionary})


def first_of(text):
    evidence = read_bytes(text.encode(), name="x")
    said = [one for panel in run(items_of([evidence])) for one in panel.statements]
    return " | ".join(one.text for one in said)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (VFORK, ["containerd-shim:1940112", "start of a child program (vfork)"]),
        (COUNTS, ["Of 244 threads", "88 wait for events", "none is shown to wait for a lock"]),
        (POINTERS, ["33018", "wb_wait_for_completion", "writeback of a device or inode"]),
        (RAID, ["stop_sync_thread", "may wait for MD array"]),
        (TIMERS, ["2 waits of 2 threads", "time-out (futex)", "no other call failed"]),
        (GOVERNOR, ["dbs_work_handler", "sets the frequency of CPUs", "kworker/0:1"]),
        (DOUBTFUL, ["bt_get", "free request of a block device", "kcopyd", "copies blocks", "kworker/0:0"]),
        (LTRACE, ["15 s pass", "getaddrinfo"]),
        (RELATIVE, ["15.02 s pass", "getaddrinfo"]),
        (WRAPPED, ["Proxy HTTP Pr", "881.6 ms"]),
        (PRINTED, ["postgres", "6.811 s"]),
        (LOOP, ["2 wait for reply of an NFS server", "nginx"]),
        (MUTEXES, ["95.2 %", "sync.(*Mutex).Lock"]),
        (_perf(), ["native_queued_spin_lock_slowpath"]),
        (_otlp(), ["spin on a lock", "unix_stream_sendmsg"]),
    ],
)
def test_what_waits_and_for_what_is_named(text, names):
    said = first_of(text)
    assert [name for name in names if name not in said] == []


def test_a_cpu_that_was_left_out_of_a_dump_raises_no_alarm():
    assert "Call trace without" not in first_of(POINTERS)
