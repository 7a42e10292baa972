"""What the first screen states of one machine, and what it does not: states, small evidence, next steps."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.overview.test_first_screen import overview, states, texts

TOP = """\
top - 14:31:10 up 1 day, 56 min,  2 users,  load average: 1.01, 1.73, 2.16
Threads: 697 total,   2 running, 695 sleeping,   0 stopped,   0 zombie
%Cpu(s):  4.2 us, 10.4 sy,  0.0 ni, 61.5 id,  0.0 wa,  0.0 hi, 23.9 si,  0.0 st
MiB Mem :   7813.0 total,   4144.3 free,   1103.2 used,   2565.5 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.   6555.2 avail Mem

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU %MEM     TIME+ COMMAND
   12 root      20   0       0      0      0 R  93.2   0.0  43:47.43 ksoftirqd/0
30615 pi        20   0   94628   8348   7172 S  32.4   0.1   0:06.17 curl
"""
IOSTAT = """\
Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz avgqu-sz   await r_await w_await  svctm  %util
vda               0.00     0.67    0.01    0.71     0.08    15.25    42.82     0.00    3.34    1.58    3.36   1.13   0.08
vdb               0.00   210.20    0.00  627.11     0.00 11599.13    36.99     0.15    0.24    8.24    0.24   0.27  17.07
dm-0              0.00     0.00    0.00    0.00     0.01     0.01    10.08     0.00    1.03    1.43    1.01   0.67   0.00
"""  # noqa: E501 - as iostat prints
FUTEX = """\
Samples: 1K of event 'cycles', Event count (approx.): 1333457052
+  14.36%  hhvm  [kernel.kallsyms]  [k] get_futex_key
+  14.18%  hhvm  [kernel.kallsyms]  [k] futex_wake
+  13.86%  hhvm  [kernel.kallsyms]  [k] futex_wait
+  12.20%  hhvm  [kernel.kallsyms]  [k] get_futex_key_refs.isra.13
+  10.70%  hhvm  [kernel.kallsyms]  [k] do_futex
"""
MEMINFO = """\
MemTotal:        2017520 kB
MemFree:          213812 kB
MemAvailable:     315436 kB
Cached:           306624 kB
AnonPages:        156660 kB
Slab:             756624 kB
SReclaimable:     178672 kB
SUnreclaim:       577952 kB
Percpu:           557056 kB
"""


def short_recording(samples: int, event: str = "cycles:u") -> str:
    return "".join(
        f"emulator  4152 75695.{8000 + at * 100:06}:      65345 {event}: \n"
        f"\t          {4096 + at % 7:x} parse_{at % 7}+0x10 (/usr/bin/emulator)\n\n"
        for at in range(samples)
    )


def test_a_busy_ksoftirqd_is_about_the_cpu_and_asks_which_soft_interrupt():
    found = overview(TOP)
    assert states(found)["cpu"] == "alarm"
    assert states(found)["network"] != "alarm"
    assert "/proc/softirqs" in found.next_capture.command
    assert "lost" not in found.next_capture.reason


def test_an_idle_disk_does_not_lead_and_what_is_healthy_says_so():
    found = overview(IOSTAT)
    assert states(found)["io"] == "not assessed"
    assert found.headline.text.startswith(
        "In one report, which may be the average since boot, the busiest device"
    )
    found = overview(IOSTAT + IOSTAT)
    assert states(found)["io"] == "no alarm"
    assert found.headline.text.startswith(
        "No alarm about IO, which alone could be assessed: No device is above its threshold; "
        "the busiest, vdb, is busy 17.1 % of the time, with 627 writes a second"
    )


def test_recorded_call_chains_are_opened_before_anything_is_recorded_again():
    found = overview(FUTEX)
    assert found.next_capture.command.startswith("perf report --stdio")
    assert any(one.question.name == "locks" and one.is_partial for one in found.questions)


def test_rows_that_have_no_call_chain_ask_for_a_recording():
    assert overview(FUTEX.replace("+ ", "  ")).next_capture.command.startswith(("perf record", "perf trace"))


def test_per_cpu_memory_counts_as_memory_of_the_kernel():
    first = texts(overview(MEMINFO))[0]
    assert "56.3 %" in first
    assert "28.6 % unreclaimable slab, 27.6 % per-CPU memory" in first


@pytest.mark.parametrize("lines", [MEMINFO.replace("Percpu:           557056", "Percpu:             5570")])
def test_small_per_cpu_memory_is_not_added(lines: str):
    assert not any("memory of the kernel" in text for text in texts(overview(lines)))


def test_shares_of_few_samples_are_no_headline():
    found = overview(short_recording(58))
    assert found.headline.text.startswith("The recording is short: 58 samples in ")
    assert "of programs alone" in found.headline.text
    assert states(found)["cpu"] == "not assessed"


def test_shares_of_many_samples_are_stated():
    assert "The recording is short" not in overview(short_recording(200)).headline.text


def test_times_next_to_nothing_is_no_outlier():
    panels = run(items_of([read_bytes(IOSTAT.encode(), name="paste.txt")]))
    assert not any("times the median" in one.summary for one in panels)
