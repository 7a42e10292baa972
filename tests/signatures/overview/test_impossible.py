"""Values beyond any bound are stated with their likely cause; unusual but possible ones are not."""

from __future__ import annotations

import pytest

from signatures.judging.impossible_values import rules
from tests.signatures.overview import tables_of_calm as tables
from tests.signatures.overview.stated import statements
from tests.signatures.overview.test_first_screen import overview

PIDSTAT = (
    "Linux 6.1.0 (h) \t11/21/26 \t_x86_64_\t({cpus} CPU)\n\n"
    "12:00:00      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
    "12:00:01        0        77    1.00   {share}    0.00    0.00   {share}     1  job\n"
    "Average:        0        77    1.00   {share}    0.00    0.00   {share}     -  job\n"
)
THREADS = tables.TOP.replace("Tasks", "Threads").format(tasks=2) + (
    "   2231 root      20   0  285600   9000   4000 R {}   0.0   0:33.20 worker\n"
    "   2232 root      20   0  285600   9000   4000 S   0.0   0.0   0:33.20 worker\n"
)
FREE = (
    "$ free -m\n"
    "               total        used        free      shared  buff/cache   available\n"
    "Mem:            1515         900         101           5         514       {available}\n"
    "Swap:           2047         {used}        1000\n"
)
BUCKET = (
    "$ runqlat -m 1 1\n     msecs               : count     distribution\n"
    "         0 -> 1          : 41       |****|\n"
)
UPTIME = "$ uptime\n 10:12:01 up {} days,  3:10,  2 users,  load average: 0.10, 0.00, 0.90\n"


def latency(low: int) -> str:
    """Return a histogram with one value of `low` ms or more."""
    return f"{BUCKET}{low:>10} -> {2 * low - 1:<10} : 1        |    |\n"


IOSTAT = (
    "Linux 5.4.106-1-pve (pve) \t05/14/21 \t_x86_64_\t(24 CPU)\n\n"
    "Device             tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\n"
    "fioa          96801.05 {read} 104.15 867805359340010044 867805359340010044\n"
)


BEYOND = {
    "rate of a disk": (IOSTAT.format(read="2420029360763.15"), ("fioa", "GiB a second")),
    "MemAvailable": (tables.MEMINFO.format(1551032, 23598896), ("22.5 GiB", "1515 MiB")),
    "MemAvailable, just": (tables.MEMINFO.format(1551032, 1551033), ("MemAvailable",)),
    "free": (FREE.format(available=23045, used=0), ("22.5 GiB",)),
    "swap": (FREE.format(available=900, used=16_777_216), ("swap",)),
    "process": (PIDSTAT.format(cpus=2, share=366.0), ("job", "2 CPUs")),
    "underflow in ms": (latency(2**54), ("570,842 years", "1 of 42")),
    "longer than the host is up": (f"{UPTIME.format(1)}\n{latency(2**27)}", ("up for",)),
}


@pytest.mark.parametrize("name", BEYOND)
def test_a_value_that_cannot_be_right_is_stated_with_its_likely_cause(name):
    text, told = BEYOND[name]
    (found,) = [one for one in statements(text) if "cannot be right: " in one]
    assert all(words in found for words in told), found
    assert "likely" in found.partition("cannot be right: ")[2]
    assert overview(text).headline.text == found
    assert not [one for one in overview(text).statements if one.statement.kind == "alarm"]


POSSIBLE = {
    "a fast disk": IOSTAT.format(read="24200293.15"),
    "all memory is available": tables.MEMINFO.format(1551032, 1551032),
    "all memory is available to free": FREE.format(available=1515, used=2047),
    "a process of many threads": PIDSTAT.format(cpus=16, share=1500.0),
    "all CPUs, and the time between two looks": PIDSTAT.format(cpus=8, share=803.0),
    "a process on an unknown number of CPUs": PIDSTAT.format(cpus=0, share=9000.0).partition("\n\n")[2],
    "a thread on one CPU": THREADS.format("100.7"),
    "a process of threads in top": tables.TOP.format(tasks=1)
    + "   2231 root      20   0  285600   9000   4000 R 1310.3   0.0   0:33.20 batch\n",
    "hours": latency(2**23),
    "shorter than the host is up": f"{UPTIME.format(900)}\n{latency(2**25)}",
    "a kernel thread without pages": tables.TOP.format(tasks=1)
    + "     14 root      20   0       0      0      0 S   0.0   0.0   0:00.02 ksoftirqd/0\n",
    "a zombie without pages": tables.ps(1, "[sh] <defunct>", "Z", 0),
    "processes in swap space": tables.NO_PAGES.replace(
        "0.0 total,      0.0 free,      0.0 used. 452100.0",
        "9.0 total,      0.0 free,      9.0 used. 452100.0",
    ),
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_an_unusual_value_that_can_be_is_not_called_impossible(name):
    assert not [
        one
        for one in statements(POSSIBLE[name])
        if "cannot be right" in one or "no resident memory" in one or "never is" in one
    ]


@pytest.mark.parametrize("share", ["nan", "-1", "9" * 400, "inf"])
def test_numbers_that_are_none_break_nothing(share):
    assert overview(PIDSTAT.format(cpus=2, share=share)).headline.text
    assert overview(tables.MEMINFO.format(share, share)).headline.text
    assert overview(tables.MEMINFO.format(0, share)).headline.text


def test_every_rule_says_a_cause_and_names_its_value():
    for rule in rules():
        assert "{value}" in rule.words
        assert rule.cause
        assert (rule.above < float("inf")) != bool(rule.bounds)
