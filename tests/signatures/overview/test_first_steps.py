"""What to do first where no signature matches."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from signatures.overview.first_steps import STEPS, ResourceTopic, first_steps, topic_of_fact
from signatures.overview.report_steps import ReportTopic
from signatures.overview.rules.rule import panel_of
from signatures.overview.storage_steps import StorageTopic
from tests.signatures.overview.test_first_screen import overview

MPSTAT = """\
05:20:01 PM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle
05:20:06 PM  all    9.11    0.00    3.02    0.05    0.00   14.20    0.00    0.00    0.00   73.62
05:20:06 PM    0    0.20    0.00    0.60    0.00    0.00   99.00    0.00    0.00    0.00    0.20
05:20:06 PM    1   11.02    0.00    3.41    0.00    0.00    2.00    0.00    0.00    0.00   83.57
"""
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 2 11 3914220  81204   1120 201332 4120 3802  9211  4410 8120 14201  6 11  9 74  0
 1 14 3921004  79980   1104 198220 5210 4409 11200  5012 8411 15002  5 12  6 77  0
"""
CALM = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 6267100 211020 5780120    0    0     2    18  410  720  3  1 96  0  0
 0  0      0 6266804 211020 5780140    0    0     0    44  502  811  4  1 95  0  0
"""
OOPS = """\
[  412.000100] BUG: kernel NULL pointer dereference, address: 0000000000000040
[  412.000200] Oops: 0000 [#1] PREEMPT SMP NOPTI
[  412.000300] RIP: 0010:nvme_setup_rw+0x40/0x2c0 [nvme_core]
"""
CORRUPTION = (
    "[  412.000100] list_del corruption. prev->next should be ffff888100000000, but was dead000000000100\n"
)
PANIC = "[  412.000100] Kernel panic - not syncing: Fatal exception in interrupt\n"
LOCKUP = "[  412.000100] watchdog: BUG: soft lockup - CPU#3 stuck for 26s! [kworker/3:1:812]\n"
BUS = (
    "[  412.000100] pcieport 0000:40:01.1: AER: Corrected error received: 0000:41:00.0\n"
    "[  412.000200] nvme 0000:41:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, id=4100\n"
)
LINK = """\
[  412.000100] ata4.00: exception Emask 0x10 SAct 0xe000 SErr 0x280100 action 0x6 frozen
[  412.000200] ata4.00: irq_stat 0x08000000, interface fatal error
[  412.000300] ata4: SError: { UnrecovData 10B8B BadCRC }
[  412.000400] ata4: hard resetting link
"""
OVER_MTU = "[  412.000100] tap0e778df8-ca: dropped over-mtu packet: 8950 > 1450\n"
FULL_TABLE = "[  412.000100] nf_conntrack: nf_conntrack: table full, dropping packet\n"
FAILED = (
    "[  412.000100] swapper/3: page allocation failure: order:2, mode:0xa20(GFP_ATOMIC), nodemask=(null)\n"
)
KILLED = (
    "[  412.000100] Out of memory: Killed process 955 (java) total-vm:4gkB, anon-rss:77864kB, file-rss:0kB\n"
)
UNREADY = """\
[  412.000100] INFO: task mkdir:111 blocked for more than 122 seconds.
[  412.000200]       Not tainted 6.12.0 #1
"""
DEADLOCK = (Path(__file__).parents[2] / "data/recorded/hangs/pthread-deadlock/gdb.txt").read_text()
POOL = """\
  pool: tank
 state: DEGRADED
  scan: resilver in progress since Wed Nov 29 11:53:46 2023
config:
        NAME             STATE     READ WRITE CKSUM
        tank             DEGRADED     0     0     0
          raidz2-0       DEGRADED     0     0     0
            sda          ONLINE       0     0     0
            sdb          OFFLINE      0     0     0
"""
KEPT = """\
MemTotal:       32761856 kB
MemFree:         5752900 kB
MemAvailable:    6140044 kB
Buffers:              48 kB
Cached:          1756500 kB
AnonPages:       3157792 kB
Slab:             295756 kB
KernelStack:       27600 kB
PageTables:        23808 kB
"""
GPU = "[  412.000100] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, GPU has fallen off the bus.\n"
LONGEST = 104
"""A step is read in one glance: one line of the page."""

IO_ERROR = "[  100.000000] I/O error, dev sda, sector 2048\n"


def hot(function):
    """Return a table of perf in which one function of the kernel takes most of the time."""
    head = "# Overhead  Shared Object  Symbol\n"
    return f"{head}    55.31%  [kernel]  [k] {function}\n     2.10%  [kernel]  [k] clear_page\n"


def test_a_function_that_takes_little_has_no_steps():
    assert overview(hot("shrink_lruvec").replace("55.31", " 5.31")).first_steps == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (MPSTAT, "spread the queues of the interface"),
        (VMSTAT, "restart it, with a limit from its start on"),
        (IO_ERROR, "fail over"),
        (OOPS, "copy the log off the host, drain"),
        (CORRUPTION, "its memory may be damaged"),
        (PANIC, "makedumpfile --dump-dmesg"),
        (LOCKUP, "steal time"),
        (BUS, "LnkSta with LnkCap"),
        (LINK, "surface is not shown to be bad"),
        (OVER_MTU, "give them the MTU of the port"),
        (GPU, "go back to the last one that worked"),
        (FULL_TABLE, "raise the limit by sysctl"),
        (FAILED, "vm.min_free_kbytes"),
        (KILLED, "start it again with MemoryMax= of its unit"),
        (UNREADY, "find its holder before anything is restarted"),
        (DEADLOCK, "Save the stacks of all of them first"),
        (POOL, "let it finish; no restart, and no other disk out"),
        (KEPT, "balloon_inflate in /proc/vmstat"),
        (hot("isolate_freepages_block"), "transparent_hugepage/defrag"),
        (hot("shrink_lruvec"), "raise memory.max"),
        (hot("_raw_spin_unlock_irqrestore"), "--synth=task -e cycles"),
        (hot("native_queued_spin_lock_slowpath"), "run fewer threads of it"),
        (hot("ext4_es_lookup_extent"), "see whether it ends"),
    ],
)
def test_an_alarm_without_a_signature_has_first_steps(text, words):
    found = overview(text)
    assert not found.headline.signature
    assert any(words in step for step in found.first_steps)


def test_a_pool_names_its_missing_member_and_its_rebuild():
    found = overview(POOL)
    said = [one.statement.text for one in found.statements]
    assert "not whole" in said[0]
    assert any("sdb" in text and "not in use" in text for text in said)
    assert any(text.startswith("A ZFS pool is being rebuilt: scan: resilver in progress") for text in said)
    assert found.next_capture.reason == "which member failed, and how far a rebuild is"


def test_memory_in_no_field_is_stated_with_its_size():
    assert overview(KEPT).headline.text.startswith("20.7 GiB (66.4 %) of memory is in no field of meminfo")


def test_a_calm_host_has_none():
    assert overview(CALM).first_steps == ()


def test_swapping_in_both_directions_is_one_statement():
    text = overview(VMSTAT).headline.text
    assert text.startswith("Memory is too small for what is in use: ")
    assert "are swapped in and" in text


def test_every_topic_has_steps_and_no_step_claims_its_condition():
    topics = {name for kind in (ResourceTopic, ReportTopic, StorageTopic) for name in get_args(kind)}
    assert set(STEPS) == topics - {""}
    assert first_steps("") == ()
    for topic, steps in STEPS.items():
        assert len(steps) >= 2, topic
        assert all(len(step) <= LONGEST for step in steps), topic


def test_rates_of_swapping_have_a_topic():
    facts = {rule.fact for rule in panel_of("rates").rules if "swap" in rule.fact}
    assert {topic_of_fact(fact) for fact in facts} == {"swapping"}
