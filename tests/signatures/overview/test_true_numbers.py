"""No sentence says more than its numbers: means, shares, rounded percentages, units, and what is of whom."""

from __future__ import annotations

import math

import pytest

from ingest.evidence import read_bytes
from signatures.language.number_format import common_unit, value_words
from tests.signatures.overview.test_first_screen import overview

HPING = """\
--- 172.16.47.27 hping statistic ---
22352 packets transmitted, {received} packets received, 1% packet loss
round-trip min/avg/max = 0.2/1.3/1010.6 ms
"""
SCANS = """\
{first}
==> /proc/vmstat <==
pgscan_direct 50000000
pgsteal_direct 4000
pgfault 100
{last}
==> /proc/vmstat <==
pgscan_direct 59000000
pgsteal_direct 4090
pgfault 200
"""
VMSTAT_HEAD = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
"""
QUIET = " {r}  {b}      0 812345  12345 654321    0    0    10    20  100  200  5  2 93  0  0\n"
SAR = """\
Linux 5.14.0 (web1)  11/28/26  _x86_64_ (8 CPU)

10:00:01      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked
10:00:02            1       500      0.21      0.25      0.20         0
10:00:03           30       500    211.40     90.25     40.20       188
10:00:04            1       500      0.21      0.25      0.20         0
Average:           11       500     70.61     30.25     13.53        63
"""
FUNCTION = """\
Function = inode_switch_wbs_work_fn
     msecs               : count     distribution
         0 -> 1          : 3        |*                                       |
       512 -> 1023       : 40       |********************                    |
      1024 -> 2047       : 51       |****************************************|
"""
SOCKETS = """\
{command}Recv-Q Send-Q Local Address:Port Peer Address:Port Process
0      0      10.0.0.1:443       198.51.100.7:51234
0      0      10.0.0.1:443       198.51.100.8:51235
0      0      10.0.0.1:443       198.51.100.9:51236
"""
SLABS = """\
  OBJS ACTIVE  USE OBJ SIZE  SLABS OBJ/SLAB CACHE SIZE NAME
3195660 3195660 100%    1.00K  81940       39   12777600K kmalloc-1k
195660 195660 100%    0.10K  8190       39    327760K buffer_head
"""
SLAB_TOTALS = """\
 Active / Total Objects (% used)    : 9624891 / 18517834 (52.0%)
 Active / Total Size (% used)       : 13000000.00K / 51110400.00K (25.4%)
"""
THREADS = """\
top - 11:31:51 up 3 days,  2:28,  3 users,  load average: 2.60, 2.46, 2.90
Threads:   3 total,   3 running,   0 sleeping,   0 stopped,   0 zombie
KiB Mem : 65788876 total, 12345678 free, 40000000 used, 13443198 buff/cache

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU %MEM     TIME+ COMMAND
 7001 app       20   0   25.1g  20.1g  12345 R  99.9 32.0   1:00.00 worker-1
 7002 app       20   0   25.1g  20.1g  12345 R  99.8 32.0   1:00.00 worker-2
"""


def texts_of(*inputs):
    return [one.statement.text for one in overview(*inputs).statements]


def test_packets_that_may_have_been_on_the_way_are_no_per_cent_of_loss():
    (text,) = texts_of(HPING.format(received=22350))
    assert "2 of 22,352 packets to 172.16.47.27" in text
    assert "(0.0089 %)" in text
    assert "on the way" in text
    assert "1.011 s" in text
    assert "1 %" not in text


def test_packets_that_are_lost_are_notable():
    found = overview(HPING.format(received=20000))
    assert "2,352 of 22,352 packets" in found.headline.text
    assert "on the way" not in found.headline.text
    assert found.statements[0].statement.is_notable


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        ("1700000000.512345678", "1700000010.512345678", ("900,000 pages/s", "9 pages/s, 0.001 %")),
        ("", "", ("9,000,000 pages", "90, 0.001 %")),
    ],
    ids=["timed", "without times"],
)
def test_reclaim_that_frees_almost_nothing_of_what_it_scans_is_the_headline(first, last, words):
    found = overview(SCANS.format(first=first, last=last))
    assert found.headline.kind == "statement"
    assert all(one in found.headline.text for one in words)


@pytest.mark.parametrize(
    ("text", "count", "mean"),
    [
        (VMSTAT_HEAD + "".join(QUIET.format(r=2, b=b) for b in (0, 0, 0, 40, 40, 0)), "40 tasks", "mean 16"),
        (SAR, "188 tasks are blocked", "mean 62.7 in 3 s"),
    ],
    ids=["vmstat", "sar"],
)
def test_a_mean_of_counts_is_no_count(text, count, mean):
    blocked = next(one for one in texts_of(text) if "uninterruptible" in one)
    assert blocked.startswith(count)
    assert f"({mean}" in blocked


def test_equal_counts_are_a_count():
    text = VMSTAT_HEAD + "".join(QUIET.format(r=2, b=40) for _ in range(4))
    blocked = next(one for one in texts_of(text) if "uninterruptible" in one)
    assert blocked.startswith("40 tasks are blocked")
    assert "average" not in blocked


def test_the_function_of_a_histogram_is_named_without_its_heading():
    (text,) = texts_of(FUNCTION)
    assert "inode_switch_wbs_work_fn" in text
    assert "msecs" not in text
    assert "Function =" not in text


@pytest.mark.parametrize(
    ("command", "state"),
    [
        ("$ ss -tan state syn-recv\n", "syn_recv"),
        ("$ ss -Htan state close-wait | head\n", "close_wait"),
        ("$ ss -tan state established\n", "established"),
        ("$ ss -tan state connected\n", "unknown"),
        ("", "unknown"),
    ],
)
def test_the_state_of_sockets_without_its_column_is_that_of_the_command_or_unknown(command, state):
    evidence = read_bytes(SOCKETS.format(command=command).encode(), name="paste.txt")
    facts = [fact for section in evidence.sections for fact in section.reading.facts]
    counts = {fact.labels["state"]: fact.value for fact in facts if fact.name == "net.socket.count"}
    assert counts == {state: 3.0}


@pytest.mark.parametrize(
    ("text", "of"),
    [
        (SLABS, "97.5 % of the listed caches"),
        (f"{SLAB_TOTALS}\n{SLABS}", "25 % of all slab"),
        (f"It grew:\n``` {SLAB_TOTALS}\n{SLABS}```\n", "25 % of all slab"),
    ],
    ids=["rows", "with totals", "a fence on the first line"],
)
def test_a_slab_cache_is_a_share_of_what_is_known_to_be_all(text, of):
    assert any(of in one for one in texts_of(text))


def test_memory_is_of_the_process_and_not_of_a_thread():
    memory = next(one for one in texts_of(THREADS) if "20.1 GiB" in one)
    assert "process of thread worker-1" in memory


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (1.7e-17, "share", "0 %"),
        (5e-9, "share", "less than 0.0001 %"),
        (2 / 22352, "share", "0.0089 %"),
        (47.0, "bytes", "47 bytes"),
        (1e300, "", "1e+300"),
        (math.nan, "share", "nan"),
    ],
)
def test_a_number_has_no_digits_that_say_nothing(value, unit, words):
    assert value_words(value, unit) == words


@pytest.mark.parametrize(("observed", "threshold"), [(152.0, 10.0), (152.0, 2.5), (0.3, 10.0), (0.4, 0.3)])
def test_a_value_and_its_threshold_have_one_unit(observed, threshold):
    unit = common_unit("share", observed, threshold)
    ends = {value_words(value, unit).split()[-1] for value in (observed, threshold)}
    assert len(ends) == 1
