"""Readings from stacks without weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.model.profile import ROOT, Profile, Thread
from ingest.model.section import Text
from ingest.parsing.bare_stacks import stacks
from ingest.readers.traces import bare_stack

DATA = Path(__file__).parents[3] / "data" / "bare-stack"


def lines_of(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def profile_of(lines: list[str], first_line: int = 1) -> Profile:
    return bare_stack.read(Text(lines, first_line)).profiles[0]


def leaf_first(profile: Profile, sample: int) -> list[str]:
    node, names = int(profile.sample_node[sample]), []
    while node != ROOT:
        names.append(profile.frames[profile.node_frame[node]].name)
        node = int(profile.node_parent[node])
    return names


def test_a_numbered_list_is_one_stack_innermost_frame_first():
    profile = profile_of(lines_of("stack.evict_folios.txt"))
    names = leaf_first(profile, 0)
    assert (len(names), names[:2], names[-1]) == (
        19,
        ["_raw_spin_unlock_irq", "evict_folios"],
        "asm_exc_page_fault",
    )


def test_an_entry_function_makes_its_whole_stack_kernel():
    profile = profile_of(lines_of("stack.shrink_lruvec.txt"))
    assert {frame.kind for frame in profile.frames} == {"kernel"}


def test_names_without_an_entry_function_stay_unknown():
    profile = profile_of(["#0  shrink_lruvec", "#1  shrink_node"])
    assert {frame.kind for frame in profile.frames} == {"unknown"}


def test_it_claims_presence_and_no_weight():
    reading = bare_stack.read(Text(lines_of("stack.shrink_lruvec.txt")))
    profile = reading.profiles[0]
    assert (profile.what, profile.has_weights, reading.quality_names) == ("bare", False, {"no_weights"})


def test_each_gdb_thread_is_a_sample_with_its_comm_and_tid():
    profile = profile_of(lines_of("gdb.thread_apply_all_bt.txt"))
    assert len(profile.sample_node) == 39
    assert profile.threads[0] == Thread("query-heap-05", -1, 14070)
    assert leaf_first(profile, 0)[:3] == ["__GI___clock_nanosleep", "__GI___nanosleep", "usleep"]
    assert {frame.kind for frame in profile.frames} == {"user"}


def test_gdb_chatter_is_counted():
    reading = bare_stack.read(Text(lines_of("gdb.thread_apply_all_bt.txt")))
    assert [row.reason for row in reading.skipped] == ["debugger's own message"]


def test_proc_stacks_are_parted_by_their_tids():
    text = [
        "== 4711",
        "[<0>] futex_wait_queue+0x60/0x90",
        "[<0>] do_syscall_64+0x3a/0x90",
        "== 4712",
        "[<0>] ext4_sync_file+0x10/0x20 [ext4]",
        "[<0>] do_syscall_64+0x3a/0x90",
    ]
    profile = profile_of(text)
    assert [thread.tid for thread in profile.threads] == [4711, 4712]
    assert [frame.module for frame in profile.frames if frame.name == "ext4_sync_file"] == ["ext4"]


def test_a_crash_backtrace_names_its_task():
    text = [
        'PID: 1234   TASK: ffff8800b8593af8  CPU: 3   COMMAND: "kworker/3:1"',
        " #0 [ffffc90000a0fe38] __schedule at ffffffff8185cb45",
        " #1 [ffffc90000a0fec8] worker_thread at ffffffff81092b4d",
    ]
    profile = profile_of(text)
    assert (profile.threads, leaf_first(profile, 0)) == (
        (Thread("kworker/3:1", 1234, 1234),),
        ["__schedule", "worker_thread"],
    )


# Of a guest under QEMU, whose threads are its CPUs: `t a a bt full` in a report to kvm@vger.kernel.org
# of 6 February 2026.
GUEST = """\
Thread 2 (Thread 1.2 (CPU#1 [running])):
#0  num_possible_cpus () at include/linux/cpumask.h:1222
No locals.
#1  mm_get_cid (mm=<optimized out>) at kernel/sched/sched.h:3782
        cid = 0x4
#7  0xffffffff81e14232 in schedule_idle () at kernel/sched/core.c:6990
No locals.
#10 0xffffffff8132b266 in secondary_startup_64 () at arch/x86/kernel/head_64.S:418
No locals.
#11 0x0000000000000000 in ?? ()
No symbol table info available.

Thread 1 (Thread 1.1 (CPU#0 [running])):
#0  virt_spin_lock (lock=<optimized out>) at arch/x86/include/asm/qspinlock.h:106
        val = <optimized out>
#1  queued_spin_lock_slowpath (lock=0xff1100017acab300, val=0x1) at kernel/locking/qspinlock.c:141
#2  0xffffffff813de445 in raw_spin_rq_lock_nested (rq=<optimized out>) at kernel/sched/core.c:639
"""


def test_the_cpus_of_a_guest_are_kernel_stacks_of_no_thread():
    lines = GUEST.splitlines()
    reading = bare_stack.read(Text(lines, 1))
    (profile,) = reading.profiles
    assert bare_stack.begins(lines, 0)
    assert [line for line in lines if not bare_stack.continues(line)] == []
    assert {frame.kind for frame in profile.frames} == {"kernel"}
    assert [leaf_first(profile, at)[0] for at in (0, 1)] == ["num_possible_cpus", "virt_spin_lock"]
    assert {thread.tid for thread in profile.threads} == {-1}
    assert {row.reason: row.count for row in reading.skipped} == {
        "debugger's own message": 4,
        "a value that gdb prints": 2,
    }


HANGS = DATA.parent / "recorded" / "hangs"


def test_gdb_shows_the_lock_of_a_waiting_thread_and_its_owner():
    lines = (HANGS / "pthread-mutex-under-read" / "gdb.txt").read_text().splitlines()
    tables = {rows.name: rows for rows in bare_stack.read(Text(lines, 1)).row_sets}
    locks = [dict(zip(tables["user_locks"].columns, row, strict=True)) for row in tables["user_locks"].rows]
    assert [(lock["kind"], lock["mode"], lock["symbol"]) for lock in locks] == [
        ("pthread_rwlock", "read", "cache"),
        *[("pthread_mutex", "", "pool")] * 3,
        *[("pthread_mutex", "", "config")] * 2,
    ]
    owners = tables["user_lock_owners"]
    owned = {row[owners.columns.index("tid")]: row[owners.columns.index("owner_tid")] for row in owners.rows}
    # Thread 16028 waits for work: the mutex of its condition variable has no owner.
    assert owned == {16029: 16025, 16027: 16025, 16026: 16025, 16025: 16023, 16024: 16023, 16030: 16029}


def test_a_lock_without_debug_information_has_no_address():
    text = [
        'Thread 2 (Thread 0x7f41 (LWP 14033) "arrow-read-00"):',
        "#0  0x00007f41c0a8 in __lll_lock_wait () from /lib/x86_64-linux-gnu/libpthread.so.0",
        "#1  0x00007f41c0b9 in pthread_mutex_lock () from /lib/x86_64-linux-gnu/libpthread.so.0",
        "#2  0x0000555f8e5c in take_page ()",
    ]
    (rows,) = bare_stack.read(Text(text, 1)).row_sets
    cells = dict(zip(rows.columns, rows.rows[0], strict=True))
    assert (rows.name, cells["kind"], cells["address"], cells["depth"]) == (
        "user_locks",
        "pthread_mutex",
        "",
        2.0,
    )
    # A thread that takes a lock without waiting stands in the same function.
    assert (
        bare_stack.read(Text([text[0], text[2].replace("#1", "#0"), text[3].replace("#2", "#1")], 1)).row_sets
        == ()
    )


def test_lines_are_those_of_the_evidence():
    profile = profile_of(["#0  shrink_lruvec", "#1  shrink_node"], first_line=41)
    assert (profile.sample_line.tolist(), profile.node_line.tolist()) == ([41], [42, 41])


@pytest.mark.parametrize("sample", sorted(DATA.glob("*.txt")), ids=lambda path: path.name)
def test_it_claims_its_samples_and_all_of_their_lines(sample):
    lines = sample.read_text().splitlines()
    assert bare_stack.begins(lines, 0)
    assert [line for line in lines if not bare_stack.continues(line)] == []


@pytest.mark.parametrize(
    "lines",
    [
        ["#1 SMP Debian 6.1.106-3"],
        ["# perf stat -p 12"],
        ["==> memory.stat <==", "cache 1"],
        ["#0  alone"],
        ["f+0x1a/0x2b"],
    ],
)
def test_it_does_not_claim_what_only_looks_alike(lines):
    assert not bare_stack.begins(lines, 0)


def test_a_path_banner_ends_it():
    assert not bare_stack.continues("==> proc/1/stack <==")


def test_stacks_beyond_the_limit_are_counted_and_not_read(monkeypatch):
    monkeypatch.setattr(stacks, "MOST_STACKS", 2)
    lines = [f"Thread {at} (LWP {at}):\n#0  0x1{at} in read ()\n#1  0x2 in main ()" for at in (1, 2, 3)]
    reading = bare_stack.read(Text("\n\n".join(lines).splitlines()))
    assert reading.profiles[0].samples == 2
    assert {one.reason: (one.first_line, one.count) for one in reading.skipped} == {stacks.BEYOND: (9, 3)}
    assert "excerpt" in reading.quality_names
