"""Sizes of one process that contradict each other are stated, whatever the number of CPUs."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import statements

PS = "$ ps -o pid,rss,comm -p 4312\n    PID   RSS COMMAND\n   4312 {} postgres\n"
STATM = "$ cat /proc/4312/statm\n2621440 {} 2100 11 0 120000 0\n"
ROLLUP = "$ head -3 /proc/4312/smaps_rollup\n55d1c2a00000-7ffd3c9f1000 ---p 0 00:00 0 [rollup]\nRss: {} kB\n"
STATUS = '$ grep -E "^(Name|Vm)" /proc/4312/status; date +%T\nName:\tpostgres\nVmRSS:\t {} kB\n17:20:11\n'
PSUTIL = "sampler 4312 pfullmem(rss={}, vms=792723456, uss=231108608, pss=232312832, swap=0)\n"
TOP = """\
top - 11:02:45 up 12 days,  1:41,  1 user,  load average: 0.31, 0.22, 0.20
MiB Swap:      0.0 total,      0.0 free,      0.0 used. 504228.6 avail Mem

    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND
   3111 root      20   0  411200  {:>5}      0 S   0.3   0.0   4:10.02 rasdaemon
     14 root      20   0       0      0      0 S   0.0   0.0   0:00.02 ksoftirqd/0
"""


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        (PS.format(12288) + ROLLUP.format(2936012), ("12 MiB", "2867 MiB")),
        (STATUS.format(152224) + ROLLUP.format(448120), ("148.7 MiB", "437.6 MiB")),
        (STATM.format(102583) + ROLLUP.format(2936012), ("400.7 MiB", "2867 MiB", "4 KiB, assumed")),
        ("$ getconf PAGESIZE\n4096\n" + STATM.format(102583) + ROLLUP.format(2936012), ("400.7 MiB",)),
        (TOP.format(0), ("rasdaemon", "1 live process")),
        (PSUTIL.format(88080384), ("84 MiB", "221.6 MiB")),
    ],
    ids=["ps", "status", "statm", "statm with its page size", "top", "psutil"],
)
def test_a_contradiction_of_two_sizes_of_a_process_is_stated(text, sizes):
    said = [one for one in statements(text) if all(size in one for size in sizes)]
    assert len(said) == 1
    assert ("assumed" in said[0]) is any("assumed" in size for size in sizes)


@pytest.mark.parametrize(
    "text",
    [
        PS.format(2936000) + ROLLUP.format(2936012),
        PS.format(60000) + ROLLUP.format(70000),
        PS.format(12288) + ROLLUP.format(2936012).replace("4312", "99"),
        # 2936012 kB are 45,875 pages of 64 KiB.
        STATM.format(45875) + ROLLUP.format(2936012),
        TOP.format(28416),
        PSUTIL.format(231108608),
    ],
    ids=["equal", "near", "another process", "pages of 64 KiB", "top", "psutil"],
)
def test_sizes_that_can_be_true_together_contradict_nothing(text):
    said = " ".join(statements(text))
    assert not any(words in said for words in ("contradiction", "cannot be", "no resident memory"))
