"""Waits in pastes of debuggers, crash and lockdep are said with their lock; so is a wait for itself."""

from __future__ import annotations

import pytest

from tests.signatures.overview.test_first_screen import overview, texts

GDB = """\
#0  0x76b58e78 in __lll_lock_wait_private (futex=0x76bad914)

at ../ports/sysdeps/unix/sysv/linux/arm/nptl/lowlevellock.c:32

#1  0x76b0b9ec in __tz_convert (timer=0x7edff154, use_localtime=1, tp=0x76baf264) at tzset.c:619
#2  0x000325c4 in write_log (file=0x58ca0 "output.c", line=62, level=4, facility=128,

format=0x58cbc "child_handler(): pid: %d, waiting for %d\\n") at log.c:59

#3  0x000335cc in child_handler (signal=17) at output.c:62
#4  <signal handler called>
#5  0x76b3c6a4 in ___xstat64 (vers=<optimized out>, name=<optimized out>, buf=0x7edff4a8)

at ../sysdeps/unix/sysv/linux/xstat64.c:50

#6  0x76b0b4a8 in tzset_internal (explicit=<optimized out>, always=<optimized out>) at tzset.c:439
#7  0x76b0b8ac in __tz_convert (timer=0x7edff5bc, use_localtime=1, tp=0x76baf264) at tzset.c:624
#8  0x00029dcc in current_date (offset=0) at common.c:353
"""
CRASH = """\
PID: 35118  TASK: ffff883941772c10  CPU: 44  COMMAND: "kworker/u98:41"
 #0 [ffff88219d6b10b8] __schedule at ffffffff81653d5a
 #1 [ffff88219d6b1150] schedule at ffffffff816542f9
 #2 [ffff88219d6b1160] schedule_preempt_disabled at ffffffff81654686
 #3 [ffff88219d6b1180] __mutex_lock_slowpath at ffffffff816521eb
 #4 [ffff88219d6b1200] mutex_lock at ffffffff816522d1
 #5 [ffff88219d6b1220] new_read at ffffffffa0152a7e [dm_bufio]
 #6 [ffff88219d6b1280] dm_bufio_get at ffffffffa0152ba6 [dm_bufio]
"""
STRIPPED = """\
PID: 18790  TASK: ffff8881a712b200  CPU: 1   COMMAND: "pool-udisksd"
 0 [ffffc900022a3be8] __schedule at ffffffff81d57c0d
 1 [ffffc900022a3c70] schedule at ffffffff81d57fae
 2 [ffffc900022a3c90] request_wait_answer at ffffffff814ea190
 3 [ffffc900022a3cf0] fuse_simple_request at ffffffff814ec9c1
"""
LISTED = """\
2 locks held by kworker/u4:5/1127:
 #0: ffff888007068d38 ((wq_completion)events_unbound){+.+.}-{0:0}, at: process_one_work+0x450/0xc20
 #1: ffffc900028bfdf8 ((work_completion)(&map->work)){+.+.}-{0:0}, at: process_one_work+0x450/0xc20
1 lock held by a/1997:
 #0: ffffffff84491728 (text_mutex){+.+.}-{3:3}, at: text_poke_copy+0x25/0x60 kernel/alternative.c:1972
1 lock held by a/2451:
 #0: ffffffff84491728 (text_mutex){+.+.}-{3:3}, at: text_poke_copy+0x25/0x60 kernel/alternative.c:1972
"""
SCRIPT = """\
2026-09-15T11:20:06.325430941Z 1789471206.325967844 2217 D 25 8
    stack: [<0>] __bch2_closure_sync+0x2b/0x70 [bcachefs]
    stack: [<0>] bch2_dev_allocator_remove+0xe0/0x140 [bcachefs]
    stack: [<0>] bch2_fs_read_only+0x380/0x6c0 [bcachefs]
    wchan: __bch2_closure_sync
"""

ENTROPY = """\
[<0000000000000000>] wait_for_random_bytes+0x8c/0xbb
[<0000000000000000>] SyS_getrandom+0x68/0x83
[<0000000000000000>] do_syscall_64+0x74/0x87
[<0000000000000000>] entry_SYSCALL_64_after_hwframe+0x42/0xb7
[<0000000000000000>] 0xffffffffffffffff
"""


def hung(task, *frames):
    """Return the report of a hung task."""
    lines = (
        f"INFO: task {task}:704 blocked for more than 122 seconds.",
        f"task:{task:15s} state:D stack:    0 pid:  704 ppid:     2 flags:0x00004000",
        "Call Trace:",
        *(f" {one}+0x2eb/0x8d0" for one in ("__schedule", "schedule", *frames)),
    )
    return "".join(f"[ 1622.00{at:04d}] {line}\n" for at, line in enumerate(lines))


COMMIT = "jbd2_journal_commit_transaction"
WIRELESS = ("__mutex_lock", "cfg80211_netdev_notifier_call", "raw_notifier_call_chain")


@pytest.mark.parametrize(
    ("paste", "says"),
    [
        (GDB, "a signal interrupted __tz_convert, and its handler calls __tz_convert again"),
        (CRASH, "waits for lock of a dm-bufio client in new_read"),
        (STRIPPED, "waits for reply of a FUSE server"),
        (LISTED, "2 list text_mutex (a:1997, a:2451)"),
        (SCRIPT, "waits for bcachefs in __bch2_closure_sync ← bch2_dev_allocator_remove"),
        (hung("jbd2/sda9-8", COMMIT, "kjournald2"), "open jbd2 handles of sda9"),
        (hung("jbd2/sda9-8", "bit_wait_io", "out_of_line_wait_on_bit", COMMIT), "I/O of the jbd2 commit"),
        (hung("iwd", *WIRELESS, "driver_del_iface", "cfg80211_remove_virtual_intf"), "it waits for itself"),
    ],
    ids=["gdb", "crash", "crash of a page", "lockdep", "a script", "open handles", "commit", "wireless"],
)
def test_a_wait_is_said_with_what_is_waited_for(paste, says):
    found = overview(paste)
    assert any(says in one for one in [found.headline.text, *texts(found)])


def test_what_a_lone_stack_waits_for_has_a_first_step():
    found = overview(ENTROPY)
    assert found.short.text.startswith("A task waits for the random number generator")
    assert "crng init done" in found.first_steps[0]
    assert "perf record" not in found.next_capture.command


@pytest.mark.parametrize(
    "paste",
    [
        hung("iwd", *WIRELESS, "cfg80211_leave", "nl80211_post_doit"),
        GDB.replace("#4  <signal handler called>", "#4  0x000335cc in caller (signal=17) at output.c:62"),
        LISTED.replace("ffffffff84491728", "ffffffff84491729", 1),
    ],
    ids=["another caller", "no signal", "another lock"],
)
def test_nobody_waits_for_itself_or_another_without_a_sign(paste):
    words = " ".join([overview(paste).headline.text, *texts(overview(paste))])
    assert "itself" not in words
    assert "2 list" not in words


def test_frames_of_powerpc_below_an_address_of_no_function_are_read():
    head = "[ 12.036355] kworker/u160:18 D    0 3902177      2 0x00000808\n[ 12.036393] Call Trace:\n"
    frames = ("0xc000000a55f87380 (unreliable)", "__schedule+0x2ec/0x930", "schedule+0x58/0x130")
    more = ("__mutex_lock.isra.0+0x2b8/0x790", "btrfs_start_delalloc_roots+0x78/0x3f0 [btrfs]")
    stack = "".join(
        f"[ 12.0364{at:02d}] [c000000a55f872d0] [c000000a55f87380] {one}\n"
        for at, one in enumerate((*frames, *more))
    )
    told = " ".join(
        texts(
            overview(
                "[ 12.0] INFO: task kworker/u160:18:3902177 blocked for more than 120 seconds.\n"
                + head
                + stack
            )
        )
    )
    assert "btrfs_start_delalloc_roots" in told


def test_the_same_lock_at_one_address_is_no_mere_possibility():
    lines = (
        "WARNING: possible recursive locking detected",
        "iwd/1402 is trying to acquire lock:",
        "ffffffff9cb2da20 (rtnl_mutex){{+.+.}}, at: wiphy_unregister+0x35/0x460",
        "but task is already holding lock:",
        "{} (rtnl_mutex){{+.+.}}, at: nl80211_pre_doit+0x100/0x1a0",
    )
    told = []
    for address in ("ffffffff9cb2da20", "ffffffff9cb2da99"):
        log = "".join(f"[    9.10000{at}] {one.format(address)}\n" for at, one in enumerate(lines))
        told.append(overview(log).first_steps[0])
    same, other = told
    assert "waits for itself" in same
    assert "let the host run" in other


LISTED_ASLEEP = """\
$ ps -o ppid,state,cmd,wchan:32 -p 93544
 PPID S CMD                         WCHAN
93511 S [entrypoint.sh]             {wchan}
"""


def test_a_chosen_task_that_sleeps_where_no_idle_task_does_is_said_with_what_it_waits_for():
    found = overview(LISTED_ASLEEP.format(wchan="zap_pid_ns_processes"))
    assert found.headline.text.startswith("entrypoint.sh waits for end of another thread or process")
    assert any("find what is left of that PID namespace" in step for step in found.first_steps)


@pytest.mark.parametrize(
    "wchan", ["do_wait", "poll_schedule_timeout", "futex_wait_queue", "hrtimer_nanosleep", "-"]
)
def test_a_chosen_task_that_idles_is_not(wchan):
    assert "waits for" not in overview(LISTED_ASLEEP.format(wchan=wchan)).headline.text
