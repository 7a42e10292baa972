# ruff: noqa: E501 - lines of tools are long
"""Which statement leads: mechanisms before one late task, before sums, and before counters since boot."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.signatures.overview import pastes
from tests.signatures.overview.test_first_screen import SUSPECT, overview

LIBRARY = Path(__file__).parents[3] / "signatures" / "library"

RECLAIM = """\
python;asm_exc_page_fault;do_user_addr_fault;handle_mm_fault;charge_memcg;try_charge_memcg;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec 1045
python;_PyEval_EvalFrameDefault 1491
pip;_PyEval_EvalFrameDefault 1348
"""
"""Samples of the recording of reclaim that the delay below is of, summed by what they are in."""

LATE_WORKER = """\
$ perf sched timehist
           time    cpu  task name                       wait time  sch delay   run time
                        [tid/pid]                          (msec)     (msec)     (msec)
--------------- ------  ------------------------------  ---------  ---------  ---------
    1472.009447 [0000]  perf[24861]                         0.000      0.000      0.000
    1472.009467 [0000]  migration/0[18]                     0.000      0.016      0.020
    1472.362022 [0001]  kworker/1:0-eve[16182]            228.299    225.427      0.008
"""
PIDSTAT = """\
Linux 6.12.117+deb12-cloud-amd64 (analytics-db-02) 	11/21/26 	_x86_64_	(4 CPU)

00:26:51      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
00:26:53        0       494    5.26   85.79    0.00    0.00   91.05     3  wbs
00:26:53        0       496    2.11   77.68    0.00    3.68   79.79     0  wbs
00:26:53        0        77    0.00   12.90    0.00    0.53   12.90     3  kworker/u16:4+flush-254:16
00:26:53        0        78    0.00   11.53    0.00    0.53   11.53     2  kworker/u16:2+inode_switch_wbs
"""

OVERLOADED = """\
$ cat /proc/loadavg
167.20 57.80 21.30 109/1604 11322
$ nproc
2
$ mpstat 1 1
Linux 6.18.5 (app01) 	11/21/26 	_x86_64_	(2 CPU)

00:00:24     CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
00:00:25     all   10.50   10.00   79.50    0.00    0.00    0.00    0.00    0.00    0.00    0.00
"""

IOSTAT = """\
avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.00    0.00    1.00   30.00    0.00   68.00

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sdc               0.00     3.00    1.00  210.00     8.00  9000.00    85.00   140.00  812.00   12.00  815.00   4.70 100.00

avg-cpu:  %user   %nice %system %iowait  %steal   %idle
           1.00    0.00    1.00   30.00    0.00   68.00

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
sdc               0.00     3.00    1.00   10.00     8.00   900.00    85.00     0.00    2.00    2.00    2.00   0.70   9.00
"""

NIC = """\
$ cat /proc/interrupts
           CPU0       CPU1
 27:          0     183048  PCI-MSIX-0000:00:04.0   2-edge      virtio3-tx
LOC:    9120331    9201233   Local timer interrupts
$ netstat -s
Udp:
    1465892 packets received
    3226140 packet receive errors
    1465892 packets sent
    3226140 receive buffer errors
"""


def shown(*texts, paths=()):
    """Return the sentences of the first screen in their order."""
    return [one.statement.text for one in overview(*texts, paths=paths).statements]


def first(sentences, *words):
    """Return which of the words the sentences have first; all of them occur."""
    return [next(at for at, text in enumerate(sentences) if word in text) for word in words]


def test_one_late_task_never_leads_over_reclaim():
    late, reclaim = first(shown(RECLAIM, LATE_WORKER), "waited 225.4 ms for CPU 1", "reclaim uses much CPU")
    assert reclaim == 0 < late
    assert "waited 225.4 ms for CPU 1" in overview(LATE_WORKER).headline.text


def pressure(**shares):
    """Return files of /proc/pressure with the shares of the last ten seconds, in percent."""
    row = "==> /proc/pressure/{} <==\nsome avg10={:.2f} avg60=50.00 avg300=40.00 total=122831039\n"
    return "".join(row.format(name, share) for name, share in shares.items())


@pytest.mark.parametrize(
    ("memory", "io", "leads"), [(65.0, 81.09, "memory"), (25.0, 81.09, "IO"), (0.0, 81.09, "IO")]
)
def test_stalls_on_io_lead_unless_those_on_memory_are_as_many(memory, io, leads):
    assert f"stalled on {leads}" in overview(pressure(memory=memory, io=io)).headline.text


def test_reclaim_leads_over_the_io_of_what_it_took():
    reclaim, io = first(shown(RECLAIM, pressure(memory=65.0, io=99.0)), "reclaim uses", "stalled on IO")
    assert reclaim < io


def test_a_program_that_uses_more_than_the_workers_of_the_kernel_leads_them():
    program, workers = first(
        shown(PIDSTAT), "wbs uses the most CPU", "2 kworkers, which run work of the kernel"
    )
    assert program < workers


def test_cpus_without_idle_time_and_a_high_load_lead_over_the_kernel_time_in_it():
    found = overview(OVERLOADED)
    assert found.headline.text.startswith("CPUs are 0 % idle: 79.5 % kernel")
    assert "load average 167" in found.headline.text
    assert any("79.5 % of CPU time is kernel time" in one.statement.text for one in found.statements[1:])


def test_the_entry_into_the_kernel_leads_over_the_share_of_busy_samples():
    folder = LIBRARY / "mm" / "thp-compaction-direct-stall" / "evidence" / "pos-constructed"
    entry, busy = first(
        shown(paths=[folder]), "accounts for 84.2 % of kernel time", "are busy: 0 % user, 79.2 % kernel"
    )
    assert entry < busy


def test_slow_writes_of_a_while_have_the_first_steps_of_slow_writes():
    found = overview(IOSTAT)
    assert "Writes of sdc take 815 ms" in found.headline.text
    assert any("smartctl" in step for step in found.first_steps)


def test_lost_packets_lead_over_where_interrupts_go_since_boot():
    lost, interrupts = first(shown(NIC), "of UDP datagrams met a full receive buffer", "interrupts of")
    assert lost < interrupts


def test_the_total_of_traced_calls_follows_what_was_slow():
    folder = LIBRARY / "mm" / "memcg-stat-show-stall" / "evidence" / "pos-slow-calls"
    slow, total = first(shown(paths=[folder]), "values of memcg_stat_show", "read takes the most time")
    assert slow < total


def test_a_wait_of_another_task_than_the_first_of_a_log_is_stated_beside_it():
    log = LIBRARY / "fs" / "journal-commit-stall" / "evidence" / "pos-syzkaller" / "console.txt"
    commit, request = first(
        shown(paths=[log]), "jbd2_journal_commit_transaction", "waits for free request of a block device"
    )
    assert commit < request


def test_that_a_task_does_not_sleep_is_no_headline_above_a_suspicion():
    status = "Name:\tjava\nState:\tS (sleeping)\nPid:\t4711\nVmRSS:\t  203268 kB\nThreads:\t801\n"
    assert "not in uninterruptible sleep" in overview(status).headline.text
    assert "uninterruptible" not in overview(status, findings=[SUSPECT]).headline.text
    assert "not in uninterruptible" not in overview(pastes.SLABTOP, status).headline.text
