"""Frames and headers of stacks without weights, in every form that tools and people print."""

from __future__ import annotations

import pytest

from ingest.parsing.bare_stacks.frames import Printed, frame
from ingest.parsing.bare_stacks.headers import Header, begins, completed, header


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("#0  shrink_lruvec", Printed("shrink_lruvec", "", "")),
        ("[<0>] futex_wait_queue+0x60/0x90", Printed("futex_wait_queue", "", "kernel")),
        (
            "[<0>] rpc_wait_bit_killable+0xd/0x60 [sunrpc]",
            Printed("rpc_wait_bit_killable", "sunrpc", "kernel"),
        ),
        (
            " [<ffffffffa07c1892>] zfs_zinactive+0x92/0x3d0 [zfs] (tries to acquire the z_hold_mtx[] entry)",
            Printed("zfs_zinactive", "zfs", "kernel"),
        ),
        ("[<ffffffffc0123456>] 0xffffffffc0123456", Printed("0xffffffffc0123456", "", "kernel")),
        (
            "#1  0x0000555f8e5ce25e in walk_file_pages (p=0x0) at s.c:35",
            Printed("walk_file_pages", "", "user"),
        ),
        (" #1 [ffffc900003f38b8] __schedule at ffffffff81a10e3d", Printed("__schedule", "", "kernel")),
        (" #0 (inline)           context_switch", Printed("context_switch", "", "kernel")),
        ("#2  schedule (kernel/sched/core.c:6660:3)", Printed("schedule", "", "")),
        ("/proc/101/stack:[<0>] kjournald2+0xa9/0x280", Printed("kjournald2", "", "kernel")),
    ],
)
def test_a_frame_is_read_in_every_form(line, printed):
    assert frame(line) == printed


@pytest.mark.parametrize("line", ["", "schedule", "the #1 reason", "[<0>] words of a sentence"])
def test_a_line_that_is_no_frame_is_none(line):
    assert frame(line) is None


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ('Thread 2 (Thread 0x7f41 (LWP 14033) "arrow-read-00"):', Header(-1, 14033, "arrow-read-00")),
        (
            'PID: 1234   TASK: ffff8800b8593af8  CPU: 3   COMMAND: "kworker/3:1"',
            Header(1234, 1234, "kworker/3:1", is_dump=True),
        ),
        (
            '[0 00:01:01.500] [UN]  PID: 103  TASK: ffff888013e98000  CPU: 0  COMMAND: "ext4lazyinit"',
            Header(103, 103, "ext4lazyinit", "D", 61.5, is_dump=True),
        ),
        ("=== 101 jbd2/dm-0-8 ===", Header(-1, 101, "jbd2/dm-0-8")),
        ("--- /proc/101 jbd2/dm-0-8 ---", Header(-1, 101, "jbd2/dm-0-8")),
        ("PID: 101 jbd2/dm-0-8", Header(-1, 101, "jbd2/dm-0-8")),
    ],
)
def test_a_header_names_its_thread(line, named):
    assert header(line) == named


def test_a_header_of_a_loop_needs_a_stack_below_it():
    assert begins(["PID: 101 jbd2/dm-0-8", "[<0>] kjournald2+0xa9/0x280"], 0)
    assert not begins(["PID: 101 jbd2/dm-0-8", "exited with status 1"], 0)
    assert begins(["a sentence", "[<0>] kjournald2+0xa9/0x280"], 0) is None


def test_lines_of_the_status_file_complete_a_header():
    known = Header(-1, 101, "")
    assert completed(known, "Name:\tjbd2/dm-0-8") == known._replace(comm="jbd2/dm-0-8")
    assert completed(known, "State:\tD (disk sleep)") == known._replace(state="D")
    assert completed(known, "Threads:\t1") is None
